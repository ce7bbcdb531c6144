import type { Report } from '@tire/contracts/api';
import type { SendReportRequest, SentMessage } from '@tire/contracts/console';
import { Badge, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useVisit } from '../../api/customers';
import { useMessages, useSendReport } from '../../api/messages';
import { useProject } from '../../api/project';
import { useShare, type ReportAt } from '../../api/reports';
import { useLanguage, useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Section } from '../../ui/page';
import { Problem } from '../../ui/problem';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';

const COLORS: Readonly<Record<SentMessage['state'], string>> = { queued: 'blue', sent: 'green', failed: 'red', stopped: 'gray' };

/** Messages with the link of the share page. Nothing where none was sent and none can be. */
export function SendSection({ at, report }: { at: ReportAt; report: Report }) {
  const { send: t } = useTexts();
  const share = useShare(at, report);
  const messages = useMessages(at);
  const url = share.data?.status === 'active' ? share.data.share_url : null;
  const channels = url === null ? [] : (messages.data?.channels ?? []);
  if (!messages.isError && channels.length === 0 && (messages.data?.messages.length ?? 0) === 0) return null;
  return (
    <Section title={t.title} text={t.text}>
      {channels.length > 0 && (
        <div className="slot-actions">
          {channels.map((channel) => (
            <SendBy key={channel} at={at} channel={channel} />
          ))}
        </div>
      )}
      <Loaded query={messages}>
        {({ messages: sent }) =>
          sent.length > 0 && (
            <Rows label={t.sent}>
              {sent.map((message) => (
                <Sent key={message.message_id} message={message} />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The share sheet of the phone: KakaoTalk, text messages and whatever else is installed. Nothing where the browser has none. */
export function ShareSheet({ url }: { url: string }) {
  const { send: t } = useTexts();
  const [failed, setFailed] = useState<unknown>(null);
  if (typeof navigator.share !== 'function') return null;
  const share = () => {
    setFailed(null);
    navigator.share({ title: t.shareTitle, text: t.shareText, url }).catch((error: unknown) => {
      // The person closed the sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailed(error);
    });
  };
  return (
    <>
      <Button onClick={share}>{t.share}</Button>
      <Problem error={failed} />
    </>
  );
}

function SendBy({ at, channel }: { at: ReportAt; channel: SendReportRequest['channel'] }) {
  const t = useTexts();
  const { send: words } = t;
  const { title, text, submit, noReceiver, noConsent } = words.by[channel];
  const { place } = useProject();
  const { language } = useLanguage();
  const visit = useVisit(at).data?.visit ?? null;
  const send = useSendReport(at);
  const [asking, setAsking] = useState(false);
  if (!place.can('customers.manage')) return null;
  const receiver = channel === 'email' ? visit?.email : visit?.phone;
  if (!receiver || !visit?.consent)
    return (
      <Text size="sm" c="dimmed">
        {receiver ? noConsent : noReceiver}
      </Text>
    );
  const messages = {
    share: words.closed,
    consent: noConsent,
    email: noReceiver,
    phone: words.noMobile,
    text: words.tooLong,
    message: words.waits,
    rate_limited: words.tooMany,
  };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {submit}
      </Button>
      {asking && (
        <Confirm
          title={title}
          text={text(receiver)}
          submit={submit}
          danger={false}
          messages={messages}
          action={() => send.mutateAsync({ channel, language: visit.consent?.language ?? language })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function Sent({ message }: { message: SentMessage }) {
  const { kind, channel, state, failure, attempts, receiver, reference, sent_by, created_at, ended_at } = message;
  const { send: t } = useTexts();
  return (
    <Row>
      <div className="row-name">
        {receiver ?? t.removed}
        <Badge variant="light" color={COLORS[state]}>
          {state === 'queued' && attempts > 0 ? t.again : t.states[state]}
        </Badge>
      </div>
      <Facts>
        <Timestamp at={ended_at ?? created_at} />
        <span>{t.kinds[kind]}</span>
        <span>{t.channels[channel]}</span>
        {sent_by !== null && <bdi>{visibleText(sent_by)}</bdi>}
        {failure !== null && <span>{t.failures[channel][failure]}</span>}
        {reference !== null && <span className="wraps">{t.reference(visibleText(reference))}</span>}
      </Facts>
    </Row>
  );
}
