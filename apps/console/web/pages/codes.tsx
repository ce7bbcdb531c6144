import type { TotpSetup } from '@tire/contracts';
import { Badge, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { SESSION, useSignedIn } from '../api/session';
import { useTexts } from '../i18n/language';
import { AccountName } from '../ui/account-name';
import { Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { Section } from '../ui/page';
import { QrCode } from '../ui/qr-code';
import { Secret } from '../ui/secret';

export function CodesSection() {
  const t = useTexts();
  const { user } = useSignedIn();
  // Which of the two was opened: while it closes, codes are on or off already.
  const [open, setOpen] = useState<'set up' | 'turn off'>();
  const close = () => setOpen(undefined);
  return (
    <Section
      title={t.totp.title}
      text={user.totp_enabled ? t.totp.on : t.totp.off}
      actions={
        <Button variant={user.totp_enabled ? 'default' : 'filled'} onClick={() => setOpen(user.totp_enabled ? 'turn off' : 'set up')}>
          {user.totp_enabled ? t.totp.disable : t.totp.begin}
        </Button>
      }
    >
      {user.totp_enabled && <Badge color="green" variant="light" children={t.members.codes} />}
      {open === 'set up' && <SetUp onClose={close} />}
      {open === 'turn off' && <TurnOff onClose={close} />}
    </Section>
  );
}

function useReread(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all([SESSION, ['sessions']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

const OwnPassword = () => {
  const t = useTexts();
  return (
    <>
      <AccountName />
      <PasswordInput label={t.totp.confirmPassword} name="password" autoComplete="current-password" required data-autofocus />
    </>
  );
};

function SetUp({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const reread = useReread();
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const begin = async (fields: FormData) => {
    setSetup(await call<TotpSetup>('POST', '/account/totp', { password: field(fields, 'password') }));
  };
  const confirm = async (fields: FormData) => {
    await call('POST', '/account/totp/confirm', { code: field(fields, 'code').replaceAll(/\s/g, '') });
    await reread();
    onClose();
  };
  return (
    <Dialog title={t.totp.title} onClose={onClose}>
      {setup ? (
        <ActionForm key="code" submit={t.totp.confirm} action={confirm} sayings={{ code: t.totp.codeWrong }} onCancel={onClose}>
          <Text size="sm">{t.totp.scan}</Text>
          <QrCode text={setup.otpauth_uri} label={t.totp.qr} />
          <Secret label={t.totp.secret} value={setup.secret} />
          <TextInput label={t.totp.code} name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} required />
        </ActionForm>
      ) : (
        <ActionForm
          key="password"
          submit={t.signIn.continue}
          action={begin}
          sayings={{ password: t.account.wrongPassword }}
          onCancel={onClose}
        >
          <OwnPassword />
        </ActionForm>
      )}
    </Dialog>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const reread = useReread();
  const disable = async (fields: FormData) => {
    await call('POST', '/account/totp/disable', { password: field(fields, 'password') });
    await reread();
    onClose();
  };
  return (
    <Dialog title={t.totp.disableTitle} onClose={onClose}>
      <ActionForm submit={t.totp.disable} action={disable} danger sayings={{ password: t.account.wrongPassword }} onCancel={onClose}>
        <Stack gap="sm">
          <Text size="sm">{t.totp.disableText}</Text>
          <OwnPassword />
        </Stack>
      </ActionForm>
    </Dialog>
  );
}
