import type { RotatedWebhookSecret, WebhookSecretState } from '@tire/contracts/console';
import { Anchor, Badge, Button, Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { secretsOf, useSecrets } from '../../api/webhooks';
import { useTexts } from '../../i18n/language';
import { Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Timestamp } from '../../ui/timestamp';
import { Section } from '../../ui/page';
import { Secret } from '../../ui/secret';

/** The overlaps in hours. The first option is for a leaked secret. */
const OVERLAPS = [0, 1, 24, 168] as const;
const USUAL_OVERLAP = 24;

export function SecretSection() {
  const t = useTexts();
  const { place, project, path } = useProject();
  const [rotating, setRotating] = useState(false);
  const query = useSecrets(project.project_id);
  const isFirst = query.data?.secrets.length === 0;
  const make = place.can('webhooks.manage') && query.data && (
    <Button variant={isFirst ? 'filled' : 'default'} onClick={() => setRotating(true)}>
      {isFirst ? t.secret.make : t.secret.rotate}
    </Button>
  );
  return (
    <Section title={t.secret.title} text={t.secret.text} actions={isFirst ? undefined : make}>
      <Loaded query={query}>
        {({ secrets }) =>
          secrets.length === 0 ? (
            <Empty title={t.secret.empty} text={make ? t.secret.emptyText : t.secret.emptyForDevelopers}>
              {make}
            </Empty>
          ) : (
            <Secrets secrets={secrets} />
          )
        }
      </Loaded>
      <Anchor component={Link} href={`${path}/developers`} size="sm" mt="sm" display="inline-block">
        {t.secret.howToVerify}
      </Anchor>
      {rotating && <Rotate isFirst={isFirst} onClose={() => setRotating(false)} />}
    </Section>
  );
}

function Secrets({ secrets }: Pick<WebhookSecretState, 'secrets'>) {
  const t = useTexts();
  return (
    <Rows label={t.secret.title}>
      {secrets.map(({ created_at, expires_at }) => (
        <Row key={created_at}>
          <div className="row-name">
            <span>
              {t.secret.made} <Timestamp at={created_at} />
            </span>
            <Badge variant="light" color={expires_at ? 'gray' : 'green'}>
              {expires_at ? t.secret.ending : t.secret.current}
            </Badge>
          </div>
          {expires_at && (
            <Facts>
              <span>
                {t.secret.signsUntil} <Timestamp at={expires_at} />
              </span>
            </Facts>
          )}
        </Row>
      ))}
    </Rows>
  );
}

function Rotate({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const t = useTexts();
  const { project } = useProject();
  const queries = useQueryClient();
  // The state when the dialog opened. When the dialog shows the new secret, the list already contains it.
  const [first] = useState(isFirst);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = async (fields: FormData) => {
    const body = { overlap_hours: first ? 0 : Number(field(fields, 'overlap')) };
    setSecret((await call<RotatedWebhookSecret>('POST', `/projects/${project.project_id}/webhook-secret`, body)).secret);
    await queries.invalidateQueries({ queryKey: secretsOf(project.project_id) });
  };
  if (secret !== null)
    return (
      <Dialog title={t.secret.shownTitle} onClose={onClose} closesByItself={false}>
        <Stack>
          <Text size="sm">{t.secret.shownText}</Text>
          <Secret label={t.secret.value} value={secret} />
          {!first && <Text size="sm">{t.secret.whatToDo}</Text>}
          <Button onClick={onClose}>{t.keys.issuedDone}</Button>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog title={first ? t.secret.make : t.secret.rotate} onClose={onClose}>
      <ActionForm submit={first ? t.secret.make : t.secret.rotate} action={rotate} onCancel={onClose}>
        <Text size="sm">{first ? t.secret.makeText : t.secret.rotateText}</Text>
        {!first && (
          <Radio.Group label={t.secret.overlap} name="overlap" defaultValue={String(USUAL_OVERLAP)}>
            <Stack gap="xs" mt="xs">
              {OVERLAPS.map((hours) => (
                <Radio key={hours} value={String(hours)} label={t.secret.overlaps[hours]} />
              ))}
            </Stack>
          </Radio.Group>
        )}
      </ActionForm>
    </Dialog>
  );
}
