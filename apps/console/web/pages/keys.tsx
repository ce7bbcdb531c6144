import type { ApiKey, IssuedApiKey, KeyList, Project } from '@tire/contracts';
import { Badge, Button, Checkbox, Code, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import type { Texts } from '../i18n/en';
import { useLanguage, useTexts } from '../i18n/language';
import { Confirm, Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';
import { Empty, Facts, Loaded, Row, Rows } from '../ui/listing';
import { Moment, momentText } from '../ui/moment';
import { Section } from '../ui/page';
import { Secret } from '../ui/secret';

type Scope = keyof Texts['keys']['scopeTexts'];
const FIRST_CHOICE: readonly Scope[] = ['report:read', 'report:write'];

const keysOf = (projectId: string) => ['project', projectId, 'keys'] as const;

interface KeysProps {
  readonly project: Project;
  readonly mayManage: boolean;
  readonly onIssued: (value: string) => void;
}

export function KeysSection({ project, mayManage, onIssued }: KeysProps) {
  const t = useTexts();
  const [creating, setCreating] = useState(false);
  const query = useQuery({
    queryKey: keysOf(project.project_id),
    queryFn: () => call<KeyList>('GET', `/projects/${project.project_id}/keys`),
  });
  const create = mayManage && <Button onClick={() => setCreating(true)}>{t.keys.create}</Button>;
  return (
    <Section title={t.keys.title} text={t.keys.text} actions={query.data?.keys.length ? create : undefined}>
      <Loaded query={query}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty title={t.keys.empty} text={t.keys.emptyText}>
              {create}
            </Empty>
          ) : (
            <Keys keys={keys} project={project} mayManage={mayManage} />
          )
        }
      </Loaded>
      {creating && <CreateKey project={project} onIssued={onIssued} onClose={() => setCreating(false)} />}
    </Section>
  );
}

function Keys({ keys, project, mayManage }: { keys: readonly ApiKey[]; project: Project; mayManage: boolean }) {
  const t = useTexts();
  const [showRevoked, setShowRevoked] = useState(false);
  const [active, revoked] = [keys.filter((key) => !key.revoked_at), keys.filter((key) => key.revoked_at)];
  return (
    <>
      <Rows label={t.keys.title}>
        {[...active, ...(showRevoked ? revoked : [])].map((key) => (
          <KeyRow key={key.key_id} apiKey={key} project={project} mayManage={mayManage} />
        ))}
      </Rows>
      {revoked.length > 0 && !showRevoked && (
        <Button variant="subtle" size="xs" onClick={() => setShowRevoked(true)}>
          {t.keys.showRevoked(revoked.length)}
        </Button>
      )}
    </>
  );
}

function KeyRow({ apiKey, project, mayManage }: { apiKey: ApiKey; project: Project; mayManage: boolean }) {
  const t = useTexts();
  const [revoking, setRevoking] = useState(false);
  const revoke = mayManage && !apiKey.revoked_at && (
    <Button variant="default" size="xs" aria-label={t.keys.revokeNamed(apiKey.name)} onClick={() => setRevoking(true)}>
      {t.keys.revoke}
    </Button>
  );
  return (
    <Row actions={revoke}>
      <div className="row-name">
        {apiKey.name}
        <Code>{apiKey.shown}</Code>
        {apiKey.revoked_at && (
          <Badge variant="light" color="gray">
            {t.keys.revoked}
          </Badge>
        )}
      </div>
      <Facts>
        <span>{apiKey.scopes.join(', ')}</span>
        <span>
          {t.keys.created} <Moment at={apiKey.created_at} />
        </span>
        <span>
          {t.keys.lastUsed}: {apiKey.last_used_at ? <Moment at={apiKey.last_used_at} /> : t.common.never}
        </span>
      </Facts>
      {revoking && <RevokeKey apiKey={apiKey} project={project} onClose={() => setRevoking(false)} />}
    </Row>
  );
}

function RevokeKey({ apiKey, project, onClose }: { apiKey: ApiKey; project: Project; onClose: () => void }) {
  const t = useTexts();
  const { language } = useLanguage();
  const queries = useQueryClient();
  const revoke = async () => {
    await call('DELETE', `/projects/${project.project_id}/keys/${apiKey.key_id}`);
    await queries.invalidateQueries({ queryKey: keysOf(project.project_id) });
  };
  const use = apiKey.last_used_at ? t.keys.revokeUsed(momentText(apiKey.last_used_at, language)) : t.keys.revokeUnused;
  return (
    <Confirm title={t.keys.revokeTitle(apiKey.name)} text={t.keys.revokeText} submit={t.keys.revoke} action={revoke} onClose={onClose}>
      <Text size="sm" fw={600}>
        {use}
      </Text>
    </Confirm>
  );
}

interface CreateKeyProps {
  readonly project: Project;
  readonly onIssued: (value: string) => void;
  readonly onClose: () => void;
}

function CreateKey({ project, onIssued, onClose }: CreateKeyProps) {
  const t = useTexts();
  const queries = useQueryClient();
  const [value, setValue] = useState<string | null>(null);
  const issue = async (fields: FormData) => {
    const body = { name: field(fields, 'name'), scopes: fields.getAll('scopes') };
    const issued = await call<IssuedApiKey>('POST', `/projects/${project.project_id}/keys`, body);
    await queries.invalidateQueries({ queryKey: keysOf(project.project_id) });
    setValue(issued.value);
    onIssued(issued.value);
  };
  if (value !== null)
    return (
      <Dialog title={t.keys.issuedTitle} onClose={onClose} closesByItself={false}>
        <Stack>
          <Text size="sm">{t.keys.issuedText}</Text>
          <Secret label={t.keys.value} value={value} />
          <Button onClick={onClose}>{t.keys.issuedDone}</Button>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog title={t.keys.create} onClose={onClose}>
      <ActionForm submit={t.keys.create} action={issue} sayings={{ validation_error: t.keys.scopesMissing }} onCancel={onClose}>
        <TextInput label={t.keys.name} description={t.keys.nameHint} name="name" maxLength={100} required data-autofocus />
        <Checkbox.Group label={t.keys.scopes} defaultValue={[...FIRST_CHOICE]}>
          <Stack gap="xs" mt="xs">
            {(Object.keys(t.keys.scopeTexts) as Scope[]).map((scope) => (
              <Checkbox key={scope} name="scopes" value={scope} label={t.keys.scopeTexts[scope]} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
      </ActionForm>
    </Dialog>
  );
}
