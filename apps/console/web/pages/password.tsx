import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../api/client';
import { SESSION, useSignedIn } from '../api/session';
import { useTexts } from '../i18n/language';
import { AccountName } from '../ui/account-name';
import { Done } from '../ui/done';
import { ActionForm, field } from '../ui/form';
import { Section } from '../ui/page';
import { Password } from '../ui/password';
import { Problem } from '../ui/problem';
import { cameBack, leaveFor, useProvider } from './openid';

/** An account of an OpenID provider has no password and may set one. */
export function PasswordSection() {
  const t = useTexts();
  const queries = useQueryClient();
  const { user } = useSignedIn();
  const provider = useProvider();
  // Each change renders a new form, so that the input is cleared.
  const [changes, setChanges] = useState(0);
  const change = async (body: object) => {
    await call('POST', '/account/password', body);
    await Promise.all([SESSION, ['sessions']].map((queryKey) => queries.invalidateQueries({ queryKey })));
    setChanges((count) => count + 1);
  };
  if (!user.has_password && provider === null) return null;
  return (
    <Section title={t.account.password}>
      <Stack className="form-narrow">
        {user.has_password ? <Change key={changes} change={change} /> : <First provider={provider ?? ''} change={change} />}
        {changes > 0 && <Done text={t.account.changed} />}
      </Stack>
    </Section>
  );
}

interface ChangeProps {
  readonly change: (body: object) => Promise<void>;
}

function Change({ change }: ChangeProps) {
  const t = useTexts();
  const send = (fields: FormData) => change({ current_password: field(fields, 'current'), new_password: field(fields, 'next') });
  const messages = { current_password: t.account.wrongPassword, new_password: t.account.tooShort };
  return (
    <ActionForm submit={t.account.change} action={send} messages={messages}>
      <AccountName />
      <Password label={t.account.current} name="current" autoComplete="current-password" required />
      <NextPassword />
    </ActionForm>
  );
}

function NextPassword() {
  const t = useTexts();
  return (
    <Password label={t.account.next} description={t.account.nextHint} name="next" autoComplete="new-password" minLength={12} required />
  );
}

/** The provider confirms the identity first, so an unattended screen cannot set a password. */
function First({ provider, change }: ChangeProps & { provider: string }) {
  const t = useTexts();
  const [confirmed, setConfirmed] = useState(cameBack('confirmed'));
  const [refused, setRefused] = useState(cameBack('not-confirmed'));
  const begun = useMutation({ mutationFn: () => leaveFor('/account/openid/confirm') });
  const send = async (fields: FormData) => {
    try {
      await change({ new_password: field(fields, 'next') });
    } catch (error) {
      if (!(error instanceof ApiError && error.param === 'current_password')) throw error;
      setConfirmed(false);
      setRefused(true);
    }
  };
  if (confirmed)
    return (
      <ActionForm submit={t.account.setFirst} action={send} messages={{ new_password: t.account.tooShort }}>
        <AccountName />
        <NextPassword />
      </ActionForm>
    );
  return (
    <>
      <Text>{t.account.none(provider)}</Text>
      {refused && (
        <Text size="sm" c="red.8" role="alert">
          {t.account.notConfirmed}
        </Text>
      )}
      <Problem error={begun.error} />
      <Button variant="default" fullWidth loading={begun.isPending} onClick={() => begun.mutate()}>
        {t.account.confirmAt(provider)}
      </Button>
    </>
  );
}
