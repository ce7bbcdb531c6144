import { Text } from '@mantine/core';
import { useTexts } from '../i18n/language';
import { AccountName } from './account-name';
import { Dialog } from './dialog';
import { ActionForm, field } from './form';
import { Password } from './password';

interface ConfirmByPasswordProps {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  readonly action: (password: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** For what cannot be undone: a person at an open screen of another does not have the password. */
export function ConfirmByPassword({ title, text, submit, action, onClose }: ConfirmByPasswordProps) {
  const { privacy: t } = useTexts();
  const acted = async (fields: FormData) => {
    await action(field(fields, 'password'));
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm submit={submit} danger action={acted} messages={{ password: t.wrongPassword }} onCancel={onClose}>
        <Text size="sm">{text}</Text>
        <AccountName />
        <Password label={t.password} name="password" autoComplete="current-password" required />
      </ActionForm>
    </Dialog>
  );
}
