import type { Member, MemberList } from '@tire/contracts';
import { Badge, Button, NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { SESSION, usePlace, useSignedIn, type Place } from '../api/session';
import type { Texts } from '../i18n/en';
import { useTexts } from '../i18n/language';
import { Confirm } from '../ui/dialog';
import { Facts, Loaded, Row, Rows } from '../ui/listing';
import { Moment } from '../ui/moment';
import { Page } from '../ui/page';
import { InvitationsSection } from './invitations';
import { NotYours } from './not-yours';
import { RenameOrganization } from './rename-organization';

type Role = Member['role'];

/** The roles that somebody may give, and take away: only an owner makes owners and changes them. */
export const grantable = (place: Place, t: Texts): Role[] =>
  (Object.keys(t.roles) as Role[]).filter((role) => role !== 'owner' || place.can('owners.manage'));

export function MembersPage() {
  const place = usePlace();
  return place?.can('members.read') ? <Members place={place} /> : <NotYours />;
}

function Members({ place }: { place: Place }) {
  const t = useTexts();
  const [renaming, setRenaming] = useState(false);
  const query = useQuery({
    queryKey: ['organization', place.organization_id, 'members'],
    queryFn: () => call<MemberList>('GET', `/organizations/${place.organization_id}/members`),
  });
  const rename = place.can('organization.manage') && (
    <Button variant="default" onClick={() => setRenaming(true)}>
      {t.organization.rename}
    </Button>
  );
  return (
    <Page title={t.members.title} text={t.members.text} actions={rename}>
      <Loaded query={query}>
        {({ members }) => (
          <Rows label={t.members.title}>
            {members.map((member) => (
              <MemberRow key={member.user_id} member={member} place={place} />
            ))}
          </Rows>
        )}
      </Loaded>
      {place.can('members.manage') && <InvitationsSection place={place} />}
      {renaming && <RenameOrganization place={place} onClose={() => setRenaming(false)} />}
    </Page>
  );
}

function MemberRow({ member, place }: { member: Member; place: Place }) {
  const t = useTexts();
  const { user } = useSignedIn();
  const [role, setRole] = useState<Role | null>(null);
  const [removing, setRemoving] = useState(false);
  const self = member.user_id === user.user_id;
  const mayChange = place.can('members.manage') && (member.role !== 'owner' || place.can('owners.manage'));
  const controls = (mayChange || self) && (
    <>
      {mayChange && (
        <NativeSelect
          size="xs"
          aria-label={t.members.roleOf(member.name)}
          value={member.role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
          data={grantable(place, t).map((value) => ({ value, label: t.roles[value] }))}
        />
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={self ? undefined : t.members.removeNamed(member.name)}
        onClick={() => setRemoving(true)}
      >
        {self ? t.members.leave : t.members.remove}
      </Button>
    </>
  );
  return (
    <Row actions={controls}>
      <div className="row-name">
        {member.name}
        {self && (
          <Badge variant="light" color="gray">
            {t.common.you}
          </Badge>
        )}
        {!mayChange && <Badge variant="light">{t.roles[member.role]}</Badge>}
      </div>
      <Facts>
        <span>{member.email}</span>
        <span>
          {t.members.joined} <Moment at={member.joined_at} />
        </span>
        <span>{member.totp_enabled ? t.members.codes : t.members.noCodes}</span>
      </Facts>
      {role && <ChangeRole member={member} place={place} role={role} onClose={() => setRole(null)} />}
      {removing && <RemoveMember member={member} place={place} self={self} onClose={() => setRemoving(false)} />}
    </Row>
  );
}

interface MemberDialogProps {
  readonly member: Member;
  readonly place: Place;
  readonly onClose: () => void;
}

/** Who changes himself sees other controls at once. */
function useChanged(place: Place): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: SESSION }),
      queries.invalidateQueries({ queryKey: ['organization', place.organization_id, 'members'] }),
    ]);
}

function ChangeRole({ member, place, role, onClose }: MemberDialogProps & { role: Role }) {
  const t = useTexts();
  const changed = useChanged(place);
  const change = async () => {
    await call('PATCH', `/organizations/${place.organization_id}/members/${member.user_id}`, { role });
    await changed();
  };
  return (
    <Confirm
      title={t.members.changeTitle(member.name, t.roles[role])}
      text={t.roleTexts[role]}
      submit={t.members.change}
      danger={false}
      sayings={{ conflict: t.members.lastOwner, forbidden: t.members.ownersOnly }}
      action={change}
      onClose={onClose}
    />
  );
}

function RemoveMember({ member, place, self, onClose }: MemberDialogProps & { self: boolean }) {
  const t = useTexts();
  const changed = useChanged(place);
  const remove = async () => {
    await call('DELETE', `/organizations/${place.organization_id}/members/${member.user_id}`);
    await changed();
  };
  return (
    <Confirm
      title={self ? t.members.leaveTitle : t.members.removeTitle(member.name)}
      text={self ? t.members.leaveText : t.members.removeText}
      submit={self ? t.members.leave : t.members.remove}
      sayings={{ conflict: t.members.lastOwner, forbidden: t.members.ownersOnly }}
      action={remove}
      onClose={onClose}
    />
  );
}
