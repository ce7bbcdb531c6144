import type { Report, ShareRecord } from '@tire/contracts/api';
import { Anchor, Badge, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { reportPath, useReportChanged, useShare, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Facts, Loaded } from '../../ui/listing';
import { Timestamp } from '../../ui/timestamp';
import { Section } from '../../ui/page';
import { QrCode } from '../../ui/qr-code';
import { Secret } from '../../ui/secret';
import { closedMessages } from './actions';

const COLORS: Readonly<Record<ShareRecord['status'], string>> = { active: 'green', closed: 'gray', revoked: 'red', expired: 'orange' };

export function ShareSection({ at, report }: { at: ReportAt; report: Report }) {
  const t = useTexts();
  const query = useShare(at, report);
  return (
    <Section title={t.share.title}>
      <Loaded query={query}>{(share) => <Link at={at} share={share} />}</Loaded>
    </Section>
  );
}

function Link({ at, share }: { at: ReportAt; share: ShareRecord }) {
  const t = useTexts();
  const { share_url: url, status } = share;
  const opens = url !== null && (status === 'active' || status === 'closed');
  return (
    <div className="share">
      <div className="share-words">
        <div className="row-name">
          <Badge variant="light" color={COLORS[status]}>
            {t.share.states[status]}
          </Badge>
        </div>
        <Text size="sm">{t.share.texts[status]}</Text>
        {opens && <Secret label={t.share.link} value={url} />}
        <ShareDates share={share} />
        <div className="slot-actions">
          {status === 'active' && (
            <Anchor href={url!} target="_blank" rel="noreferrer" size="sm">
              {t.share.open}
            </Anchor>
          )}
          <ShareActions at={at} mayRevoke={opens} />
        </div>
      </div>
      {opens && <QrCode text={url} label={t.share.qr} />}
    </div>
  );
}

function ShareDates({ share: { status, created_at, expires_at, revoked_at } }: { share: ShareRecord }) {
  const t = useTexts();
  return (
    <Facts>
      <span>
        {t.share.issued} <Timestamp at={created_at} />
      </span>
      {expires_at !== null && status !== 'revoked' && (
        <span>
          {status === 'expired' ? t.share.expired : t.share.expires} <Timestamp at={expires_at} />
        </span>
      )}
      {revoked_at !== null && (
        <span>
          {t.share.revokedAt} <Timestamp at={revoked_at} />
        </span>
      )}
    </Facts>
  );
}

function ShareActions({ at, mayRevoke }: { at: ReportAt; mayRevoke: boolean }) {
  const t = useTexts();
  const { place } = useProject();
  const changed = useReportChanged(at);
  const [open, setOpen] = useState<'reissue' | 'revoke' | null>(null);
  if (!place.can('reports.publish')) return null;
  const deed = (method: 'POST' | 'DELETE') => async () => {
    await call<ShareRecord>(method, `${reportPath(at)}/share`);
    await changed();
  };
  const common = { messages: closedMessages(t), onClose: () => setOpen(null) };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen('reissue')}>
        {t.share.reissue}
      </Button>
      {mayRevoke && (
        <Button size="xs" variant="default" onClick={() => setOpen('revoke')}>
          {t.share.revoke}
        </Button>
      )}
      {open === 'reissue' && (
        <Confirm {...common} title={t.share.reissueTitle} text={t.share.reissueText} submit={t.share.reissue} action={deed('POST')} />
      )}
      {open === 'revoke' && (
        <Confirm {...common} title={t.share.revokeTitle} text={t.share.revokeText} submit={t.share.revoke} action={deed('DELETE')} />
      )}
    </>
  );
}
