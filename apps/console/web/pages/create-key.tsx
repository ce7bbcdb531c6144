import type { IssuedApiKey, KeyScope } from '@tire/contracts/console';
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { NAME_LENGTH_MAX } from '@tire/contracts/limits';
import { useState } from 'react';
import { call } from '../api/client';
import { keysOf, useProject } from '../api/project';
import { useTexts } from '../i18n/language';
import { Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { Secret } from '../ui/secret';

const FIRST_CHOICE: readonly KeyScope[] = ['report:read', 'report:write'];

export function CreateKey({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const { project, keepIssuedKey } = useProject();
  const queries = useQueryClient();
  const [value, setValue] = useState<string | null>(null);
  const issue = async (fields: FormData) => {
    const body = { name: field(fields, 'name'), scopes: fields.getAll('scopes') };
    const issued = await call<IssuedApiKey>('POST', `/projects/${project.project_id}/keys`, body);
    await queries.invalidateQueries({ queryKey: keysOf(project.project_id) });
    setValue(issued.value);
    if (project.mode === 'test') keepIssuedKey(issued);
  };
  if (value !== null)
    return (
      <Dialog title={t.keys.issuedTitle} onClose={onClose} closesByItself={false}>
        <Stack>
          <Text size="sm">{project.mode === 'test' ? t.keys.issuedTestText : t.keys.issuedText}</Text>
          <Secret label={t.keys.value} value={value} />
          <Button onClick={onClose}>{t.keys.issuedDone}</Button>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog title={t.keys.create} onClose={onClose}>
      <ActionForm submit={t.keys.create} action={issue} messages={{ validation_error: t.keys.scopesMissing }} onCancel={onClose}>
        <TextInput label={t.keys.name} description={t.keys.nameHint} name="name" maxLength={NAME_LENGTH_MAX} required data-autofocus />
        <Checkbox.Group label={t.keys.scopes} defaultValue={[...FIRST_CHOICE]}>
          <Stack gap="xs" mt="xs">
            {(Object.keys(t.keys.scopeTexts) as KeyScope[]).map((scope) => (
              <Checkbox key={scope} name="scopes" value={scope} label={t.keys.scopeTexts[scope]} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
      </ActionForm>
    </Dialog>
  );
}
