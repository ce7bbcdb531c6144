import type { ApiKey, LoggedRequest, RequestList } from '@tire/contracts/console';
import { Anchor, Badge, Code } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { usePages } from '../api/pages';
import { useKeys, useProject } from '../api/project';
import { useTexts } from '../i18n/language';
import { visibleText } from '../ui/visible-text';
import { Empty, Facts, Loaded, Row, Rows } from '../ui/listing';
import { Timestamp } from '../ui/timestamp';
import { ListFilter } from '../ui/list-filter';
import { More } from '../ui/more';
import { Page } from '../ui/page';

/** The log keeps requests for this long. */
const KEPT_MS = 7 * 86_400_000;
/** A key that was revoked before that has no requests. */
const wasAlive = ({ revoked_at }: ApiKey): boolean => revoked_at === null || Date.now() - Date.parse(revoked_at) < KEPT_MS;

export function RequestsPage() {
  const t = useTexts();
  const { project, path } = useProject();
  const keys = useKeys(project.project_id).data?.keys ?? [];
  const [keyId, setKeyId] = useState('');
  const address = `/projects/${project.project_id}/requests?limit=50${keyId && `&key_id=${keyId}`}`;
  const query = usePages<RequestList>(['project', project.project_id, 'requests', keyId], address);
  const choice = (
    <ListFilter
      label={t.requests.key}
      value={keyId}
      options={[
        { value: '', label: t.requests.everyKey },
        ...keys.filter(wasAlive).map(({ key_id, name, shown }) => ({ value: key_id, label: `${visibleText(name)} (${shown})` })),
      ]}
      onChange={setKeyId}
      query={query}
    />
  );
  return (
    <Page title={t.requests.title} text={t.requests.text} actions={choice}>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.requests.length === 0 ? (
            <Empty title={t.requests.empty} text={t.requests.emptyText}>
              <Anchor component={Link} href={`${path}/developers`}>
                {t.keys.toQuickStart}
              </Anchor>
            </Empty>
          ) : (
            <Rows label={t.requests.title}>
              {pages.flatMap(({ requests }) =>
                requests.map((one) => <RequestRow key={one.request_id + one.at} request={one} keys={keys} />),
              )}
            </Rows>
          )
        }
      </Loaded>
      <More query={query} />
    </Page>
  );
}

const color = (status: number): string => (status < 400 ? 'green' : status < 500 ? 'yellow' : 'red');

function RequestRow({ request, keys }: { request: LoggedRequest; keys: readonly ApiKey[] }) {
  const t = useTexts();
  const { at, key_id, method, path, status, duration_ms, request_id } = request;
  return (
    <Row>
      <div className="row-name">
        <Code>{method}</Code>
        <span className="request-path">{visibleText(path)}</span>
        <Badge variant="light" color={color(status)}>
          {status}
        </Badge>
      </div>
      <Facts>
        <Timestamp at={at} exact />
        <span>{t.requests.took(duration_ms)}</span>
        <bdi>{visibleText(keys.find((key) => key.key_id === key_id)?.name ?? key_id)}</bdi>
        <span>
          {t.requests.id}: <code>{request_id}</code>
        </span>
      </Facts>
    </Row>
  );
}
