import type { IssuedCapture, Report } from '@tire/contracts/api';
import { Badge, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { reportPath, useReportChanged, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Facts } from '../../ui/listing';
import { Section } from '../../ui/page';
import { Problem } from '../../ui/problem';
import { QrCode } from '../../ui/qr-code';
import { Secret } from '../../ui/secret';
import { Timestamp } from '../../ui/timestamp';
import { closedMessages } from './actions';

type Capture = NonNullable<Report['capture']>;

const COLORS: Readonly<Record<Capture['state'], string>> = {
  issued: 'blue',
  opened: 'blue',
  finished: 'green',
  expired: 'gray',
  revoked: 'gray',
};

/** The page after a creation gets the link in the history of the browser, because it is in no other response. */
export interface CreatedWithLink {
  readonly captureUrl: string;
}

/** Once: the history of a browser outlives the page. */
function takeLink(): string | null {
  const { captureUrl = null } = (history.state ?? {}) as Partial<CreatedWithLink>;
  if (captureUrl !== null) history.replaceState(null, '');
  return captureUrl;
}

/** Images that partners send by address cannot be taken by a link. */
const takesImages = ({ creation, slots }: Report): boolean =>
  creation.mode === 'automatic' && slots.every(({ asset }) => asset?.source.kind !== 'partner_url');

export const isCaptureOpen = (capture: Report['capture']): boolean => !!capture && ['issued', 'opened', 'finished'].includes(capture.state);

/** A link with which somebody else takes the photographs. Nothing where there can be none. */
export function CaptureSection({ at, report }: { at: ReportAt; report: Report }) {
  const { capture: t } = useTexts();
  const { place } = useProject();
  const [issued, setIssued] = useState(takeLink);
  const capture = report.capture ?? null;
  if (!takesImages(report) || (capture === null && !place.can('reports.write'))) return null;
  const isOpen = isCaptureOpen(capture);
  return (
    <Section title={t.title} text={capture === null ? t.text : undefined}>
      <div className="share">
        <div className="share-words">
          {capture && <CaptureState capture={capture} />}
          {issued !== null && isOpen && (
            <>
              <Text size="sm">{t.once}</Text>
              <Secret label={t.link} value={issued} />
            </>
          )}
          {place.can('reports.write') && <CaptureActions at={at} capture={isOpen ? capture : null} onIssued={setIssued} />}
        </div>
        {issued !== null && isOpen && <QrCode text={issued} label={t.qr} />}
      </div>
    </Section>
  );
}

function CaptureState({ capture: { state, images, expires_at, opened_at, finished_at } }: { capture: Capture }) {
  const { capture: t } = useTexts();
  return (
    <>
      <div className="row-name">
        <Badge variant="light" color={COLORS[state]}>
          {t.states[state]}
        </Badge>
      </div>
      <Facts>
        <span>{t.images(images)}</span>
        {opened_at !== null && (
          <span>
            {t.opened} <Timestamp at={opened_at} />
          </span>
        )}
        {finished_at !== null && (
          <span>
            {t.finished} <Timestamp at={finished_at} />
          </span>
        )}
        {state !== 'revoked' && (
          <span>
            {t.expires} <Timestamp at={expires_at} />
          </span>
        )}
      </Facts>
    </>
  );
}

interface ActionsProps {
  readonly at: ReportAt;
  /** The link that is open. */
  readonly capture: Capture | null;
  readonly onIssued: (url: string | null) => void;
}

function CaptureActions({ at, capture, onIssued }: ActionsProps) {
  const t = useTexts();
  const changed = useReportChanged(at);
  const [asking, setAsking] = useState<'reissue' | 'revoke' | null>(null);
  const issue = async () => {
    onIssued((await call<IssuedCapture>('POST', `${reportPath(at)}/capture-link`, {})).capture_url);
    await changed();
  };
  const revoke = async () => {
    await call('DELETE', `${reportPath(at)}/capture-link`);
    onIssued(null);
    await changed();
  };
  const first = useMutation({ mutationFn: issue });
  const common = { messages: closedMessages(t), onClose: () => setAsking(null) };
  return (
    <div className="slot-actions">
      <Problem error={first.error} messages={closedMessages(t)} />
      {capture === null ? (
        <Button size="xs" variant="default" loading={first.isPending} onClick={() => first.mutate()}>
          {t.capture.issue}
        </Button>
      ) : (
        <>
          <Button size="xs" variant="default" onClick={() => setAsking('reissue')}>
            {t.capture.reissue}
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsking('revoke')}>
            {t.capture.revoke}
          </Button>
        </>
      )}
      {asking === 'reissue' && (
        <Confirm {...common} title={t.capture.reissueTitle} text={t.capture.reissueText} submit={t.capture.reissue} action={issue} />
      )}
      {asking === 'revoke' && (
        <Confirm {...common} title={t.capture.revokeTitle} text={t.capture.revokeText} submit={t.capture.revoke} action={revoke} />
      )}
    </div>
  );
}
