import type { SignInAnswer } from '@tire/contracts/console';
import { Anchor, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../api/client';
import { SESSION } from '../api/session';
import { useTexts } from '../i18n/language';
import { ActionForm, field } from '../ui/form';
import { Page } from '../ui/page';
import { Password } from '../ui/password';
import { Alone } from '../ui/shell';
import { OpenIdButton, useSignInOptions } from './openid';
import { PasskeyButton } from './passkey-button';

export function SignInPage() {
  const [needsCode, setNeedsCode] = useState(location.hash === '#code');
  return <Alone>{needsCode ? <CodeStep onBack={() => setNeedsCode(false)} /> : <PasswordStep onCode={() => setNeedsCode(true)} />}</Alone>;
}

function PasswordStep({ onCode }: { onCode: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const signIn = async (fields: FormData) => {
    const body = { email: field(fields, 'email'), password: field(fields, 'password') };
    const { status } = await call<SignInAnswer>('POST', '/session', body);
    if (status === 'totp_required') onCode();
    else await queries.resetQueries({ queryKey: SESSION });
  };
  const messages = { unauthorized: t.signIn.wrong, validation_error: t.signIn.wrong };
  return (
    <Page title={t.signIn.title}>
      <ActionForm submit={t.signIn.submit} action={signIn} messages={messages} wide>
        <TextInput label={t.signIn.email} name="email" type="email" autoComplete="username" required autoFocus />
        <Password label={t.signIn.password} name="password" autoComplete="current-password" required />
      </ActionForm>
      <OpenIdButton />
      <PasskeyButton isSecondFactor={false} />
      <Forgotten />
    </Page>
  );
}

function Forgotten() {
  const t = useTexts();
  if (useSignInOptions()?.password_reset)
    return (
      <Text size="sm" mt="md">
        <Anchor component={Link} href="/forgotten-password">
          {t.signIn.forgottenLink}
        </Anchor>
      </Text>
    );
  return (
    <Text size="sm" c="dimmed" mt="md">
      {t.signIn.forgotten}
    </Text>
  );
}

/** `onDone`: called on pages that do not watch the session. */
export function CodeStep({ onBack, onDone }: { onBack: () => void; onDone?: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [recovers, setRecovers] = useState(false);
  const signIn = async (fields: FormData) => {
    const code = field(fields, 'code').replaceAll(/\s/g, '');
    await call<SignInAnswer>('POST', recovers ? '/session/recovery' : '/session/totp', { code });
    await queries.resetQueries({ queryKey: SESSION });
    onDone?.();
  };
  if (recovers)
    return (
      <Page title={t.recovery.signInTitle} text={t.recovery.signInText}>
        <ActionForm
          key="recovery"
          submit={t.signIn.continue}
          action={signIn}
          messages={{ session: t.signIn.codeOver, unauthorized: t.recovery.wrong, validation_error: t.recovery.wrong }}
          onCancel={onBack}
        >
          <TextInput label={t.recovery.code} name="code" autoComplete="off" spellCheck={false} maxLength={64} required autoFocus />
        </ActionForm>
      </Page>
    );
  return (
    <Page title={t.signIn.codeTitle} text={t.signIn.codeText}>
      <ActionForm
        key="code"
        submit={t.signIn.continue}
        action={signIn}
        messages={{ session: t.signIn.codeOver, unauthorized: t.signIn.codeWrong, validation_error: t.signIn.codeWrong }}
        onCancel={onBack}
      >
        <TextInput label={t.signIn.code} name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} required autoFocus />
      </ActionForm>
      <PasskeyButton isSecondFactor onDone={onDone} />
      <Text size="sm" mt="md">
        <Anchor component="button" type="button" onClick={() => setRecovers(true)}>
          {t.recovery.use}
        </Anchor>
      </Text>
    </Page>
  );
}
