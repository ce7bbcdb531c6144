import { Alert, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { SESSION, useSignedIn } from '../api/session';
import { useTexts } from '../i18n/language';
import { AccountName } from '../ui/account-name';
import { ActionForm, field } from '../ui/form';
import { Page, Section } from '../ui/page';
import { Password } from '../ui/password';
import { CodesSection } from './codes';
import { OpenIdSection } from './openid';
import { SessionsSection } from './sessions';

export function AccountPage() {
  const t = useTexts();
  const { user } = useSignedIn();
  return (
    <Page title={t.account.title} text={user.email}>
      <ProfileSection />
      {user.has_password && <PasswordSection />}
      {user.has_password && <CodesSection />}
      <OpenIdSection />
      <SessionsSection />
    </Page>
  );
}

export const Done = ({ text }: { text: string }) => (
  <Alert color="green" variant="light" role="status">
    {text}
  </Alert>
);

function ProfileSection() {
  const t = useTexts();
  const queries = useQueryClient();
  const { user } = useSignedIn();
  const [saved, setSaved] = useState(false);
  const save = async (fields: FormData) => {
    setSaved(false);
    await call('PATCH', '/account', { name: field(fields, 'name') });
    await queries.invalidateQueries({ queryKey: SESSION });
    setSaved(true);
  };
  return (
    <Section title={t.account.profile}>
      <Stack className="form-narrow">
        <ActionForm submit={t.common.save} action={save}>
          <TextInput label={t.account.name} name="name" defaultValue={user.name} maxLength={100} autoComplete="name" required />
        </ActionForm>
        {saved && <Done text={t.common.saved} />}
      </Stack>
    </Section>
  );
}

function PasswordSection() {
  const t = useTexts();
  const queries = useQueryClient();
  // Another form each time: what was typed before does not stay.
  const [changes, setChanges] = useState(0);
  const change = async (fields: FormData) => {
    await call('POST', '/account/password', { current_password: field(fields, 'current'), new_password: field(fields, 'next') });
    await queries.invalidateQueries({ queryKey: ['sessions'] });
    setChanges((count) => count + 1);
  };
  const sayings = { current_password: t.account.wrongPassword, new_password: t.account.tooShort };
  return (
    <Section title={t.account.password}>
      <Stack className="form-narrow">
        <ActionForm key={changes} submit={t.account.change} action={change} sayings={sayings}>
          <AccountName />
          <Password label={t.account.current} name="current" autoComplete="current-password" required />
          <Password
            label={t.account.next}
            description={t.account.nextHint}
            name="next"
            autoComplete="new-password"
            minLength={12}
            required
          />
        </ActionForm>
        {changes > 0 && <Done text={t.account.changed} />}
      </Stack>
    </Section>
  );
}
