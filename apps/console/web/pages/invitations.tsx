import type { Invitation, InvitationList, IssuedInvitation } from '@tire/contracts/console';
import { Badge, Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import type { Place } from '../api/session';
import { useTexts } from '../i18n/language';
import { Confirm, Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { Facts, Loaded, Portions, Row } from '../ui/listing';
import { Timestamp } from '../ui/timestamp';
import { Section } from '../ui/page';
import { Secret } from '../ui/secret';
import { RoleChoice } from './members';

const invitationsOf = ({ organization_id }: Place) => ['organization', organization_id, 'invitations'] as const;
const pathOf = ({ organization_id }: Place) => `/organizations/${organization_id}/invitations`;

export function InvitationsSection({ place }: { place: Place }) {
  const t = useTexts();
  const [inviting, setInviting] = useState(false);
  const query = useQuery({ queryKey: invitationsOf(place), queryFn: () => call<InvitationList>('GET', pathOf(place)) });
  return (
    <div className="after-rows">
      <Section title={t.invitations.title} actions={<Button onClick={() => setInviting(true)}>{t.invitations.invite}</Button>}>
        <Loaded query={query}>
          {({ invitations }) =>
            invitations.length === 0 ? (
              <Text c="dimmed">{t.invitations.empty}</Text>
            ) : (
              <Portions label={t.invitations.title} items={invitations}>
                {(invitation) => <InvitationRow key={invitation.invitation_id} invitation={invitation} place={place} />}
              </Portions>
            )
          }
        </Loaded>
      </Section>
      {inviting && <Invite place={place} onClose={() => setInviting(false)} />}
    </div>
  );
}

function InvitationRow({ invitation, place }: { invitation: Invitation; place: Place }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState(false);
  const revoke = async () => {
    await call('DELETE', `${pathOf(place)}/${invitation.invitation_id}`);
    await queries.invalidateQueries({ queryKey: invitationsOf(place) });
  };
  const control = (
    <Button variant="default" size="xs" aria-label={t.invitations.revokeNamed(invitation.email)} onClick={() => setRevoking(true)}>
      {t.invitations.revoke}
    </Button>
  );
  return (
    <Row actions={control}>
      <div className="row-name">
        {invitation.email}
        <Badge variant="light">{t.roles[invitation.role]}</Badge>
      </div>
      <Facts>
        <span>{t.invitations.by(invitation.invited_by)}</span>
        <span>
          {t.invitations.ends} <Timestamp at={invitation.expires_at} />
        </span>
      </Facts>
      {revoking && (
        <Confirm
          title={t.invitations.revokeTitle(invitation.email)}
          text={t.invitations.revokeText}
          submit={t.invitations.revoke}
          action={revoke}
          onClose={() => setRevoking(false)}
        />
      )}
    </Row>
  );
}

function Invite({ place, onClose }: { place: Place; onClose: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [issued, setIssued] = useState<IssuedInvitation | null>(null);
  const invite = async (fields: FormData) => {
    const body = { email: field(fields, 'email'), role: field(fields, 'role') };
    const answer = await call<IssuedInvitation>('POST', pathOf(place), body);
    await queries.invalidateQueries({ queryKey: invitationsOf(place) });
    setIssued(answer);
  };
  if (issued)
    return (
      <Dialog title={issued.mailed ? t.invitations.mailedTitle : t.invitations.issuedTitle} onClose={onClose} closesByItself={false}>
        <Stack>
          <Text size="sm">{(issued.mailed ? t.invitations.mailedText : t.invitations.issuedText)(issued.invitation.email)}</Text>
          <Secret label={t.invitations.link} value={issued.link} />
          <Button onClick={onClose}>{t.invitations.done}</Button>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog title={t.invitations.invite} onClose={onClose}>
      <ActionForm submit={t.invitations.invite} action={invite} messages={{ conflict: t.invitations.isMember }} onCancel={onClose}>
        <Text size="sm">{t.invitations.inviteText}</Text>
        <TextInput label={t.invitations.email} name="email" type="email" required data-autofocus />
        <Radio.Group label={t.members.role} name="role" defaultValue="support">
          <RoleChoice place={place} />
        </Radio.Group>
      </ActionForm>
    </Dialog>
  );
}
