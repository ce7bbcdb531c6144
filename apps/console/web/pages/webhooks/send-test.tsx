import type { Delivery } from '@tire/contracts/console';
import { LIMITS } from '@tire/contracts/limits';
import { Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { deliveriesOf } from '../../api/webhooks';
import { useTexts } from '../../i18n/language';
import { Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';

/** Navigates to the result. */
export function SendTest({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const { project, path } = useProject();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const send = async (fields: FormData) => {
    const body = { url: field(fields, 'url').trim() };
    const { callback_id } = await call<Delivery>('POST', `/projects/${project.project_id}/deliveries/test`, body);
    await queries.invalidateQueries({ queryKey: deliveriesOf(project.project_id) });
    go(`${path}/webhooks/${callback_id}`);
  };
  return (
    <Dialog title={t.webhooks.test} onClose={onClose}>
      <ActionForm submit={t.webhooks.send} action={send} messages={{ url: t.webhooks.urlWrong }} onCancel={onClose}>
        <Text size="sm">{t.webhooks.testText}</Text>
        <TextInput label={t.webhooks.url} name="url" type="url" placeholder="https://" maxLength={LIMITS.url} required data-autofocus />
      </ActionForm>
    </Dialog>
  );
}
