import { Anchor, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { call } from '../api/client';
import { useTexts } from '../i18n/language';
import { Done } from '../ui/done';
import { ActionForm, field } from '../ui/form';
import { Page } from '../ui/page';
import { Password } from '../ui/password';
import { Alone } from '../ui/shell';

export function ForgottenPasswordPage() {
  const { reset: t, signIn } = useTexts();
  const [sent, setSent] = useState(false);
  const request = async (fields: FormData) => {
    await call('POST', '/password-reset', { email: field(fields, 'email') });
    setSent(true);
  };
  return (
    <Alone>
      <Page title={t.title} text={t.text}>
        {sent ? (
          <Done text={t.sent} />
        ) : (
          <ActionForm submit={t.request} action={request} messages={{ validation_error: t.noAddress, rate_limited: t.tooMany }} wide>
            <TextInput label={signIn.email} name="email" type="email" autoComplete="username" required autoFocus />
          </ActionForm>
        )}
        <ToSignIn />
      </Page>
    </Alone>
  );
}

export function ResetPasswordPage() {
  const { reset: t, account } = useTexts();
  // The token is in the fragment, which browsers do not send to servers. It leaves the address, and with it the history.
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(null, '', location.pathname), []);
  const [done, setDone] = useState(false);
  const reset = async (fields: FormData) => {
    await call('POST', '/password-reset/confirm', { token, password: field(fields, 'password') });
    setDone(true);
  };
  return (
    <Alone>
      <Page title={t.newTitle}>
        {done ? (
          <Done text={t.done} />
        ) : (
          <ActionForm submit={t.set} action={reset} messages={{ not_found: t.gone, token: t.gone, password: account.tooShort }} wide>
            <Password
              label={account.next}
              description={account.nextHint}
              name="password"
              autoComplete="new-password"
              minLength={12}
              required
              autoFocus
            />
          </ActionForm>
        )}
        <ToSignIn />
      </Page>
    </Alone>
  );
}

function ToSignIn() {
  const t = useTexts();
  return (
    <Text size="sm" mt="md">
      <Anchor component={Link} href="/">
        {t.invitation.toSignIn}
      </Anchor>
    </Text>
  );
}
