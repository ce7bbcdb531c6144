import type { Delivery, DeliveryDetail } from '@tire/contracts/console';
import { Anchor, Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { ApiError, call } from '../../api/client';
import { useProject } from '../../api/project';
import { deliveriesOf, useDelivery } from '../../api/webhooks';
import { useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Failed } from '../../ui/failed';
import { visibleText } from '../../ui/visible-text';
import { Facts, Loaded } from '../../ui/listing';
import { Timestamp } from '../../ui/timestamp';
import { Page, Section } from '../../ui/page';
import { NotFound } from '../not-found';
import { DeliveryState, Outcome } from './delivery-state';

export function DeliveryPage() {
  const { project } = useProject();
  const { callbackId } = useParams<{ callbackId: string }>();
  const query = useDelivery(project.project_id, callbackId);
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  if (query.isLoadingError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loaded query={query}>{(detail) => <Detail detail={detail} />}</Loaded>;
}

function Detail({ detail: { delivery, body, attempts } }: { detail: DeliveryDetail }) {
  const t = useTexts();
  const { place, path } = useProject();
  const [resending, setResending] = useState(false);
  const again = place.can('webhooks.send') && delivery.url !== '' && (
    <Button onClick={() => setResending(true)}>{t.deliveries.resend}</Button>
  );
  return (
    <Page title={t.deliveries.types[delivery.type]} actions={again}>
      <Section title={t.deliveries.about}>
        <About delivery={delivery} />
      </Section>
      <Section title={t.deliveries.attemptsTitle} text={t.deliveries.attemptsText}>
        <Attempts attempts={attempts} />
      </Section>
      <Section title={t.deliveries.body} text={t.deliveries.bodyText}>
        {body === '' ? <Text c="dimmed">{t.deliveries.discarded}</Text> : <Foreign label={t.deliveries.body} text={body} />}
      </Section>
      <Anchor component={Link} href={`${path}/webhooks`}>
        {t.deliveries.toAll}
      </Anchor>
      {resending && <Resend delivery={delivery} onClose={() => setResending(false)} />}
    </Page>
  );
}

const Foreign = ({ label, text }: { label: string; text: string }) => (
  <pre className="foreign" tabIndex={0} role="region" aria-label={label}>
    {visibleText(text)}
  </pre>
);

function About({ delivery }: { delivery: Delivery }) {
  const t = useTexts();
  const { path } = useProject();
  const { report_id, next_attempt_at } = delivery;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t.deliveries.state, <DeliveryState state={delivery.state} />],
    [t.deliveries.url, visibleText(delivery.url) || t.deliveries.discarded],
    [t.deliveries.id, delivery.callback_id],
    [t.deliveries.queued, <Timestamp at={delivery.queued_at} exact />],
    ...(next_attempt_at ? [[t.deliveries.next, <Timestamp at={next_attempt_at} exact />] as const] : []),
    ...(report_id
      ? [[t.deliveries.report, <Anchor component={Link} href={`${path}/reports/${report_id}`} children={report_id} />] as const]
      : []),
  ];
  return (
    <dl className="about">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="wraps">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Attempts({ attempts }: Pick<DeliveryDetail, 'attempts'>) {
  const t = useTexts();
  if (attempts.length === 0) return <Text c="dimmed">{t.deliveries.noAttempt}</Text>;
  return (
    <ol className="steps">
      {attempts.toReversed().map(({ number, started_at, duration_ms, http_status, failure, answer }) => (
        <li key={number}>
          <div className="row-name">
            <span>{t.deliveries.attempt(number)}</span>
            <span className="subject">
              <Outcome status={http_status} failure={failure} />
            </span>
          </div>
          <Facts>
            <Timestamp at={started_at} exact />
            <span>{t.deliveries.took(duration_ms)}</span>
          </Facts>
          {answer !== null && answer !== '' && <Foreign label={t.deliveries.answer(number)} text={answer} />}
        </li>
      ))}
    </ol>
  );
}

function Resend({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const t = useTexts();
  const { project } = useProject();
  const queries = useQueryClient();
  const resend = async () => {
    await call<Delivery>('POST', `/projects/${project.project_id}/deliveries/${delivery.callback_id}/resend`);
    await queries.invalidateQueries({ queryKey: deliveriesOf(project.project_id) });
  };
  return (
    <Confirm
      title={t.deliveries.resendTitle}
      text={t.deliveries.resendText(delivery.url)}
      submit={t.deliveries.resend}
      danger={false}
      messages={{ report_discarded: t.deliveries.discarded }}
      action={resend}
      onClose={onClose}
    />
  );
}
