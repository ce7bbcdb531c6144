import type { ListedPasskey, PasskeyList } from '@tire/contracts/console';
import { NAME_LENGTH_MAX } from '@tire/contracts/limits';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../api/client';
import { addPasskey, NoPasskey } from '../api/passkeys';
import { useTexts } from '../i18n/language';
import { AccountName } from '../ui/account-name';
import { Confirm, Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { Empty, Facts, Loaded, Row, Rows } from '../ui/listing';
import { Section } from '../ui/page';
import { Password } from '../ui/password';
import { Timestamp } from '../ui/timestamp';
import { visibleText } from '../ui/visible-text';

const PASSKEYS = ['passkeys'] as const;

export function PasskeysSection() {
  const { passkeys: t } = useTexts();
  const [adds, setAdds] = useState(false);
  const query = useQuery({ queryKey: PASSKEYS, queryFn: () => call<PasskeyList>('GET', '/account/passkeys') });
  const add = (
    <Button variant="default" onClick={() => setAdds(true)}>
      {t.add}
    </Button>
  );
  return (
    <Section title={t.title} text={t.text} actions={add}>
      <Loaded query={query}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <Empty title={t.none} text={t.noneText} />
          ) : (
            <Rows label={t.title}>
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.passkey_id} passkey={passkey} />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {adds && <Add onClose={() => setAdds(false)} />}
    </Section>
  );
}

function useReread(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: PASSKEYS });
}

function PasskeyRow({ passkey }: { readonly passkey: ListedPasskey }) {
  const { passkeys: t } = useTexts();
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const close = () => setOpen(undefined);
  const name = visibleText(passkey.name);
  const actions = (
    <Group gap="xs">
      <Button size="xs" variant="default" aria-label={t.renameOf(name)} onClick={() => setOpen('rename')}>
        {t.rename}
      </Button>
      <Button size="xs" variant="default" aria-label={t.removeOf(name)} onClick={() => setOpen('remove')}>
        {t.remove}
      </Button>
    </Group>
  );
  return (
    <Row actions={actions}>
      <Text fw={600} className="wraps">
        <bdi>{name}</bdi>
      </Text>
      <Facts>
        <span>
          {t.added} <Timestamp at={passkey.created_at} />
        </span>
        {passkey.last_used_at === null ? (
          <span>{t.neverUsed}</span>
        ) : (
          <span>
            {t.used} <Timestamp at={passkey.last_used_at} />
          </span>
        )}
        {passkey.is_synced && <span>{t.synced}</span>}
      </Facts>
      {open === 'rename' && <Rename passkey={passkey} onClose={close} />}
      {open === 'remove' && <Remove passkey={passkey} onClose={close} />}
    </Row>
  );
}

/** The reason of the browser stands in the place of the param, for which the form has its text. */
function Add({ onClose }: { readonly onClose: () => void }) {
  const { passkeys: t, ...texts } = useTexts();
  const reread = useReread();
  const add = async (fields: FormData) => {
    await addPasskey(field(fields, 'password'), field(fields, 'name')).catch((error: unknown) => {
      throw error instanceof NoPasskey ? new ApiError(0, 'conflict', '', error.reason) : error;
    });
    await reread();
    onClose();
  };
  const messages = {
    password: texts.account.wrongPassword,
    unsupported: t.unsupported,
    cancelled: t.cancelled,
    response: t.stale,
    conflict: t.taken,
  };
  return (
    <Dialog title={t.add} onClose={onClose}>
      <ActionForm submit={texts.signIn.continue} action={add} messages={messages} onCancel={onClose}>
        <Text size="sm">{t.addText}</Text>
        <AccountName />
        <Password label={texts.totp.confirmPassword} name="password" autoComplete="current-password" required data-autofocus />
        <TextInput label={t.name} description={t.nameHint} name="name" maxLength={NAME_LENGTH_MAX} autoComplete="off" required />
      </ActionForm>
    </Dialog>
  );
}

function Rename({ passkey, onClose }: { readonly passkey: ListedPasskey; readonly onClose: () => void }) {
  const { passkeys: t, common } = useTexts();
  const reread = useReread();
  const rename = async (fields: FormData) => {
    await call('PATCH', `/account/passkeys/${passkey.passkey_id}`, { name: field(fields, 'name') });
    await reread();
    onClose();
  };
  return (
    <Dialog title={t.renameOf(passkey.name)} onClose={onClose}>
      <ActionForm submit={common.save} action={rename} onCancel={onClose}>
        <TextInput
          label={t.name}
          name="name"
          defaultValue={passkey.name}
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          required
          data-autofocus
        />
      </ActionForm>
    </Dialog>
  );
}

function Remove({ passkey, onClose }: { readonly passkey: ListedPasskey; readonly onClose: () => void }) {
  const { passkeys: t } = useTexts();
  const reread = useReread();
  const remove = async () => {
    await call('DELETE', `/account/passkeys/${passkey.passkey_id}`);
    await reread();
  };
  return <Confirm title={t.removeOf(passkey.name)} text={t.removeText} submit={t.remove} action={remove} onClose={onClose} />;
}
