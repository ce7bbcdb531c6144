import type { OpenIdStart, SignInOptions } from '@tire/contracts/console';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { useSignedIn } from '../api/session';
import { useTexts } from '../i18n/language';
import { AccountName } from '../ui/account-name';
import { Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { Section } from '../ui/page';
import { Password } from '../ui/password';
import { Problem } from '../ui/problem';

export const useSignInOptions = (): SignInOptions | undefined =>
  useQuery({ queryKey: ['sign-in-options'], queryFn: () => call<SignInOptions>('GET', '/sign-in-options') }).data;

/** Null without a configured provider. */
export const useProvider = (): string | null => useSignInOptions()?.openid?.name ?? null;

export async function leaveFor(path: string, body?: object): Promise<void> {
  location.assign((await call<OpenIdStart>('POST', path, body)).authorization_url);
}

/** The redirect from the provider loads the page again, so the result is in the address. */
export const cameBack = (as: string): boolean => location.hash === `#${as}`;

interface OpenIdButtonProps {
  /** The token of the invitation on the same page. */
  readonly invitation?: string;
}

export function OpenIdButton({ invitation }: OpenIdButtonProps) {
  const t = useTexts();
  const name = useProvider();
  const begun = useMutation({
    mutationFn: () => (invitation === undefined ? leaveFor('/session/openid') : leaveFor('/invitations/openid', { token: invitation })),
  });
  if (name === null) return null;
  return (
    <Stack gap="sm" mt="md">
      {(cameBack('refused') || cameBack('unavailable')) && (
        <Text size="sm" c="red.8" role="alert">
          {cameBack('refused') ? t.openId.refused : t.errors.other}
        </Text>
      )}
      <Problem error={begun.error} />
      <Button variant="default" fullWidth loading={begun.isPending} onClick={() => begun.mutate()}>
        {invitation === undefined ? t.openId.with(name) : t.openId.join(name)}
      </Button>
    </Stack>
  );
}

export function OpenIdSection() {
  const t = useTexts();
  const name = useProvider();
  const { user } = useSignedIn();
  const [open, setOpen] = useState(false);
  if (name === null) return null;
  const connected = user.openid_connected;
  return (
    <Section
      title={t.openId.title}
      text={connected ? t.openId.connected(name) : t.openId.notYet(name)}
      actions={!connected && <Button variant="default" onClick={() => setOpen(true)} children={t.openId.connect} />}
    >
      {!connected && cameBack('not-connected') && (
        <Alert color="red" variant="light" role="alert">
          {t.openId.failed}
        </Alert>
      )}
      {open && <Connect onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Connect({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const connect = (fields: FormData) => leaveFor('/account/openid', { password: field(fields, 'password') });
  return (
    <Dialog title={t.openId.title} onClose={onClose}>
      <ActionForm submit={t.openId.connect} action={connect} messages={{ password: t.account.wrongPassword }} onCancel={onClose}>
        <AccountName />
        <Password label={t.totp.confirmPassword} name="password" autoComplete="current-password" required data-autofocus />
      </ActionForm>
    </Dialog>
  );
}
