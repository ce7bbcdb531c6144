import type { InvitationOffer, SignInAnswer } from '@tire/contracts/console';
import { Anchor, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NAME_LENGTH_MAX } from '@tire/contracts/limits';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError, call } from '../api/client';
import { SESSION } from '../api/session';
import { useTexts } from '../i18n/language';
import { ActionForm, field } from '../ui/form';
import { Loaded } from '../ui/listing';
import { Page } from '../ui/page';
import { Password } from '../ui/password';
import { Alone } from '../ui/shell';
import { OpenIdButton } from './openid';
import { CodeStep } from './sign-in';

/** Null: the invitation no longer exists. */
async function lookUp(token: string): Promise<InvitationOffer | null> {
  try {
    return await call<InvitationOffer>('POST', '/invitations/look-up', { token });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null;
    throw error;
  }
}

export function AcceptInvitationPage() {
  const t = useTexts();
  // The token is in the fragment, which browsers do not send to servers.
  const [token] = useState(() => location.hash.slice(1));
  const [needsCode, setNeedsCode] = useState(false);
  const [, go] = useLocation();
  const offer = useQuery({ queryKey: ['invitation', token], queryFn: () => lookUp(token), staleTime: Infinity });
  if (needsCode) return <Alone children={<CodeStep onBack={() => go('/')} onDone={() => go('/', { replace: true })} />} />;
  return (
    <Alone>
      <Loaded query={offer}>
        {(found) => (found ? <Join token={token} offer={found} onCode={() => setNeedsCode(true)} /> : <Gone text={t.invitation.gone} />)}
      </Loaded>
    </Alone>
  );
}

function Gone({ text }: { text: string }) {
  const t = useTexts();
  return (
    <Page title={t.invitation.title}>
      <Text mb="md">{text}</Text>
      <Anchor component={Link} href="/">
        {t.invitation.toSignIn}
      </Anchor>
    </Page>
  );
}

function Join({ token, offer, onCode }: { token: string; offer: InvitationOffer; onCode: () => void }) {
  const t = useTexts();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const join = async (fields: FormData) => {
    const body = { token, password: field(fields, 'password'), name: field(fields, 'name') || null };
    const { status } = await call<SignInAnswer>('POST', '/invitations/accept', body);
    if (status === 'totp_required') return onCode();
    await queries.resetQueries({ queryKey: SESSION });
    go('/', { replace: true });
  };
  const messages = { not_found: t.invitation.gone, unauthorized: t.invitation.wrong, password: t.account.tooShort };
  return (
    <Page title={t.invitation.title} text={t.invitation.text(offer.organization_name, t.roles[offer.role])}>
      <Text size="sm" mb="md">
        {t.invitation.account}
      </Text>
      <ActionForm submit={t.invitation.join} action={join} messages={messages} wide>
        <TextInput label={t.signIn.email} value={offer.email} readOnly autoComplete="username" />
        <TextInput label={t.account.name} description={t.invitation.name} name="name" autoComplete="name" maxLength={NAME_LENGTH_MAX} />
        <Password label={t.signIn.password} description={t.account.nextHint} name="password" minLength={12} required />
      </ActionForm>
      <OpenIdButton invitation={token} />
    </Page>
  );
}
