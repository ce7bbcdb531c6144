import type { RecoveryCodes, TotpSetup } from '@tire/contracts/console';
import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { SESSION, useSignedIn } from '../api/session';
import { useTexts } from '../i18n/language';
import { AccountName } from '../ui/account-name';
import { Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { Section } from '../ui/page';
import { Password } from '../ui/password';
import { QrCode } from '../ui/qr-code';
import { Secret } from '../ui/secret';

export function CodesSection() {
  const t = useTexts();
  const { user } = useSignedIn();
  // The open dialog. It is not derived from `totp_enabled`, which changes before the dialog closes.
  const [open, setOpen] = useState<'set up' | 'turn off' | 'renew'>();
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
      {user.totp_enabled && (
        <Group gap="md">
          <Badge color="green" variant="light" children={t.members.codes} />
          <Text size="sm">{t.recovery.left(user.recovery_codes_left)}</Text>
          <Button size="xs" variant="default" onClick={() => setOpen('renew')}>
            {t.recovery.renew}
          </Button>
        </Group>
      )}
      {open === 'set up' && <SetUp onClose={close} />}
      {open === 'turn off' && <TurnOff onClose={close} />}
      {open === 'renew' && <Renew onClose={close} />}
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
      <Password label={t.totp.confirmPassword} name="password" autoComplete="current-password" required data-autofocus />
    </>
  );
};

function SetUp({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const reread = useReread();
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const [codes, setCodes] = useState<RecoveryCodes>();
  const begin = async (fields: FormData) => {
    setSetup(await call<TotpSetup>('POST', '/account/totp', { password: field(fields, 'password') }));
  };
  const confirm = async (fields: FormData) => {
    setCodes(await call<RecoveryCodes>('POST', '/account/totp/confirm', { code: field(fields, 'code').replaceAll(/\s/g, '') }));
    await reread();
  };
  if (codes) return <ShownOnce {...codes} onClose={onClose} />;
  return (
    <Dialog title={t.totp.title} onClose={onClose}>
      {setup ? (
        <ActionForm key="code" submit={t.totp.confirm} action={confirm} messages={{ code: t.totp.codeWrong }} onCancel={onClose}>
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
          messages={{ password: t.account.wrongPassword }}
          onCancel={onClose}
        >
          <OwnPassword />
        </ActionForm>
      )}
    </Dialog>
  );
}

/** Shows recovery codes once. Only the user closes the dialog. */
function ShownOnce({ codes, onClose }: RecoveryCodes & { onClose: () => void }) {
  const t = useTexts();
  return (
    <Dialog title={t.recovery.title} onClose={onClose} closesByItself={false}>
      <Stack gap="md">
        <Text size="sm">{t.recovery.text}</Text>
        <Secret label={t.recovery.title} value={codes.join('\n')} />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t.recovery.kept}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Renew({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const reread = useReread();
  const [codes, setCodes] = useState<RecoveryCodes>();
  const renew = async (fields: FormData) => {
    setCodes(await call<RecoveryCodes>('POST', '/account/recovery-codes', { password: field(fields, 'password') }));
    await reread();
  };
  if (codes) return <ShownOnce {...codes} onClose={onClose} />;
  return (
    <Dialog title={t.recovery.renewTitle} onClose={onClose}>
      <ActionForm submit={t.recovery.renew} action={renew} messages={{ password: t.account.wrongPassword }} onCancel={onClose}>
        <Text size="sm">{t.recovery.renewText}</Text>
        <OwnPassword />
      </ActionForm>
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
      <ActionForm submit={t.totp.disable} action={disable} danger messages={{ password: t.account.wrongPassword }} onCancel={onClose}>
        <Stack gap="sm">
          <Text size="sm">{t.totp.disableText}</Text>
          <OwnPassword />
        </Stack>
      </ActionForm>
    </Dialog>
  );
}
