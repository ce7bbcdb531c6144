import { Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { NAME_LENGTH_MAX } from '@tire/contracts/limits';
import { useState } from 'react';
import { call } from '../api/client';
import { SESSION, useSignedIn } from '../api/session';
import { useTexts } from '../i18n/language';
import { Done } from '../ui/done';
import { ActionForm, field } from '../ui/form';
import { Page, Section } from '../ui/page';
import { CodesSection } from './codes';
import { OpenIdSection } from './openid';
import { PasskeysSection } from './passkeys';
import { PasswordSection } from './password';
import { SessionsSection } from './sessions';

export function AccountPage() {
  const t = useTexts();
  const { user } = useSignedIn();
  return (
    <Page title={t.account.title} text={user.email}>
      <ProfileSection />
      <PasswordSection />
      {user.has_password && <CodesSection />}
      {user.has_password && <PasskeysSection />}
      <OpenIdSection />
      <SessionsSection />
    </Page>
  );
}

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
          <TextInput label={t.account.name} name="name" defaultValue={user.name} maxLength={NAME_LENGTH_MAX} autoComplete="name" required />
        </ActionForm>
        {saved && <Done text={t.common.saved} />}
      </Stack>
    </Section>
  );
}
