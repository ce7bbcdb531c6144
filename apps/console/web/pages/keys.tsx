import type { ApiKey, Project } from '@tire/contracts/console';
import { Alert, Anchor, Badge, Button, Code, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../api/client';
import { keysOf, useKeys, useProject } from '../api/project';
import { useLanguage, useTexts } from '../i18n/language';
import { Confirm } from '../ui/dialog';
import { visibleText } from '../ui/visible-text';
import { Empty, Facts, Loaded, Portions, Row } from '../ui/listing';
import { Timestamp, momentText, useTimeZone } from '../ui/timestamp';
import { Page } from '../ui/page';
import { CreateKey } from './create-key';

export function KeysPage() {
  const t = useTexts();
  const { place, project, path, issuedKey } = useProject();
  const [creating, setCreating] = useState(false);
  const query = useKeys(project.project_id);
  const mayManage = place.can('keys.manage');
  const create = mayManage && <Button onClick={() => setCreating(true)}>{t.keys.create}</Button>;
  return (
    <Page title={t.keys.title} text={t.keys.text} actions={query.data?.keys.length ? create : undefined}>
      {issuedKey !== null && (
        <Alert variant="light" mb="md">
          {t.keys.filledIn}{' '}
          <Anchor component={Link} href={`${path}/developers`}>
            {t.keys.toQuickStart}
          </Anchor>
        </Alert>
      )}
      <Loaded query={query}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty title={t.keys.empty} text={mayManage ? t.keys.emptyText : t.keys.emptyForDevelopers}>
              {create}
            </Empty>
          ) : (
            <Keys keys={keys} project={project} mayManage={mayManage} />
          )
        }
      </Loaded>
      {creating && <CreateKey onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Keys({ keys, project, mayManage }: { keys: readonly ApiKey[]; project: Project; mayManage: boolean }) {
  const t = useTexts();
  const [showRevoked, setShowRevoked] = useState(false);
  const [active, revoked] = [keys.filter((key) => !key.revoked_at), keys.filter((key) => key.revoked_at)];
  return (
    <>
      <Portions label={t.keys.title} items={[...active, ...(showRevoked ? revoked : [])]}>
        {(key) => <KeyRow key={key.key_id} apiKey={key} project={project} mayManage={mayManage} />}
      </Portions>
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
        <bdi>{visibleText(apiKey.name)}</bdi>
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
          {t.keys.created} <Timestamp at={apiKey.created_at} />
        </span>
        <span>
          {t.keys.lastUsed}: {apiKey.last_used_at ? <Timestamp at={apiKey.last_used_at} /> : t.common.never}
        </span>
      </Facts>
      {revoking && <RevokeKey apiKey={apiKey} project={project} onClose={() => setRevoking(false)} />}
    </Row>
  );
}

function RevokeKey({ apiKey, project, onClose }: { apiKey: ApiKey; project: Project; onClose: () => void }) {
  const t = useTexts();
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const queries = useQueryClient();
  const { issuedKey, keepIssuedKey } = useProject();
  const revoke = async () => {
    await call('DELETE', `/projects/${project.project_id}/keys/${apiKey.key_id}`);
    if (issuedKey?.key.key_id === apiKey.key_id) keepIssuedKey(null);
    await queries.invalidateQueries({ queryKey: keysOf(project.project_id) });
  };
  const use = apiKey.last_used_at ? t.keys.revokeUsed(momentText(apiKey.last_used_at, language, timeZone)) : t.keys.revokeUnused;
  return (
    <Confirm title={t.keys.revokeTitle(apiKey.name)} text={t.keys.revokeText} submit={t.keys.revoke} action={revoke} onClose={onClose}>
      <Text size="sm" fw={600}>
        {use}
      </Text>
    </Confirm>
  );
}
