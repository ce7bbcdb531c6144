import type { Member, MemberList } from '@tire/contracts/console';
import { Badge, Button, Radio, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../api/client';
import { SESSION, usePlace, useSignedIn, type Place } from '../api/session';
import type { Texts } from '../i18n/en';
import { useTexts } from '../i18n/language';
import { Confirm, Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { visibleText } from '../ui/visible-text';
import { Facts, Loaded, Portions, Row } from '../ui/listing';
import { Timestamp } from '../ui/timestamp';
import { Page } from '../ui/page';
import { InvitationsSection } from './invitations';
import { NotFound } from './not-found';
import { RenameOrganization } from './rename-organization';

type Role = Member['role'];

/** The roles that a member may assign. Only an owner may assign or change owners. */
const grantable = (place: Place, t: Texts): Role[] =>
  (Object.keys(t.roles) as Role[]).filter((role) => role !== 'owner' || place.can('owners.manage'));

export function MembersPage() {
  const place = usePlace();
  return place?.can('members.read') ? <Members place={place} /> : <NotFound />;
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
          <Portions label={t.members.title} items={members}>
            {(member) => <MemberRow key={member.user_id} member={member} place={place} />}
          </Portions>
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
  const [changing, setChanging] = useState(false);
  const [removing, setRemoving] = useState(false);
  const self = member.user_id === user.user_id;
  const mayChange = place.can('members.manage') && (member.role !== 'owner' || place.can('owners.manage'));
  const controls = (mayChange || self) && (
    <>
      {mayChange && (
        <Button variant="default" size="xs" aria-label={t.members.changeNamed(member.name)} onClick={() => setChanging(true)}>
          {t.members.change}
        </Button>
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
        <bdi>{visibleText(member.name)}</bdi>
        {self && (
          <Badge variant="light" color="gray">
            {t.common.you}
          </Badge>
        )}
        <Badge variant="light">{t.roles[member.role]}</Badge>
      </div>
      <Facts>
        <span>{member.email}</span>
        <span>
          {t.members.joined} <Timestamp at={member.joined_at} />
        </span>
        <span>{member.totp_enabled ? t.members.codes : t.members.noCodes}</span>
      </Facts>
      {changing && <ChangeRole member={member} place={place} onClose={() => setChanging(false)} />}
      {removing && <RemoveMember member={member} place={place} self={self} onClose={() => setRemoving(false)} />}
    </Row>
  );
}

interface MemberDialogProps {
  readonly member: Member;
  readonly place: Place;
  readonly onClose: () => void;
}

/** Refetches the session too, so that the controls follow a change of the own role at once. */
function useChanged(place: Place): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: SESSION }),
      queries.invalidateQueries({ queryKey: ['organization', place.organization_id, 'members'] }),
    ]);
}

function ChangeRole({ member, place, onClose }: MemberDialogProps) {
  const t = useTexts();
  const changed = useChanged(place);
  const change = async (fields: FormData) => {
    await call('PATCH', `/organizations/${place.organization_id}/members/${member.user_id}`, { role: field(fields, 'role') });
    await changed();
    onClose();
  };
  const messages = { conflict: t.members.lastOwner, forbidden: t.members.ownersOnly };
  return (
    <Dialog title={t.members.roleOf(member.name)} onClose={onClose}>
      <ActionForm submit={t.members.change} action={change} messages={messages} onCancel={onClose}>
        <Radio.Group label={t.members.role} name="role" defaultValue={member.role}>
          <RoleChoice place={place} />
        </Radio.Group>
      </ActionForm>
    </Dialog>
  );
}

export function RoleChoice({ place }: { place: Place }) {
  const t = useTexts();
  return (
    <Stack gap="xs" mt="xs">
      {grantable(place, t).map((role) => (
        <Radio key={role} value={role} label={t.roles[role]} description={t.roleTexts[role]} />
      ))}
    </Stack>
  );
}

function RemoveMember({ member, place, self, onClose }: MemberDialogProps & { self: boolean }) {
  const t = useTexts();
  const changed = useChanged(place);
  const [, go] = useLocation();
  const remove = async () => {
    await call('DELETE', `/organizations/${place.organization_id}/members/${member.user_id}`);
    await changed();
    if (self) go('/', { replace: true });
  };
  return (
    <Confirm
      title={self ? t.members.leaveTitle : t.members.removeTitle(member.name)}
      text={self ? t.members.leaveText : t.members.removeText}
      submit={self ? t.members.leave : t.members.remove}
      messages={{ conflict: t.members.lastOwner, forbidden: t.members.ownersOnly }}
      action={remove}
      onClose={onClose}
    />
  );
}
