import type { Content, Report } from '@tire/contracts/api';
import type { Standing, WorkState } from '@tire/contracts/console';
import { Button, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useProject } from '../../api/project';
import { useMark, useShare, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { Problem } from '../../ui/problem';
import { SIGN_OF } from '@tire/kernel/signs';
import { KakaoButton } from '../customers/kakao';
import { ShareSheet } from '../customers/send';
import { StandingSign } from '../../ui/sign';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';

interface VerdictProps {
  readonly at: ReportAt;
  readonly report: Report;
  readonly work: WorkState;
  readonly content: UseQueryResult<Content>;
}

/** What a member needs first: the verdict, and the link for the customer. */
export function VerdictSection({ at, report, work, content }: VerdictProps) {
  const t = useTexts();
  const { standing } = work;
  const { data } = content;
  const overall = data?.overall;
  return (
    <section className={`section first sign-${SIGN_OF[standing]}`} aria-label={t.worklist.verdict}>
      <div role="status">
        <StandingSign standing={standing} large />
      </div>
      {overall ? (
        <div lang={data.content_profile.locale}>
          <h2 className="headline">{overall.headline}</h2>
          {overall.paragraphs.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      ) : (
        <WhatNow at={at} standing={standing} />
      )}
      <ShareBar at={at} report={report} />
      <Handled at={at} work={work} />
    </section>
  );
}

/** Without content, what has to happen next. */
function WhatNow({ at, standing }: { readonly at: ReportAt; readonly standing: Standing }) {
  const { worklist: t } = useTexts();
  const { place, path } = useProject();
  const texts: Readonly<Partial<Record<Standing, string>>> = t.whatNow;
  const needsImages = standing === 'awaiting_images' || standing === 'partial' || standing === 'failed';
  return (
    <>
      <p>{texts[standing] ?? t.whatNow.unjudged}</p>
      {needsImages && place.can('reports.write') && (
        <Button component={Link} href={`${path}/reports/${at.reportId}/images`}>
          {t.addImages}
        </Button>
      )}
    </>
  );
}

function ShareBar({ at, report }: { readonly at: ReportAt; readonly report: Report }) {
  const t = useTexts();
  const { data: share } = useShare(at, report);
  const clipboard = useClipboard({ timeout: 3_000 });
  const url = share?.status === 'active' ? share.share_url : null;
  if (url === null) return share && report.analysis_status !== 'awaiting_images' ? <Text size="sm">{t.worklist.notOpen}</Text> : null;
  const copyText = clipboard.error ? t.worklist.copyByHand : clipboard.copied ? t.worklist.linkCopied : t.worklist.copyLink;
  return (
    <div className="first-actions">
      <ShareSheet url={url} />
      <KakaoButton url={url} />
      <Button variant={'share' in navigator ? 'default' : 'filled'} onClick={() => clipboard.copy(url)}>
        <span aria-live="polite">{copyText}</span>
      </Button>
      <Button component="a" variant="default" href={url} target="_blank" rel="noreferrer">
        {t.share.open}
      </Button>
      <Button component="a" variant="default" href={`${url}.pdf`} target="_blank" rel="noreferrer">
        {t.worklist.pdf}
      </Button>
      <Button variant="default" onClick={() => window.print()}>
        {t.worklist.print}
      </Button>
      {clipboard.error && <code className="wraps">{url}</code>}
    </div>
  );
}

function Handled({ at, work: { attention, handled, result } }: { readonly at: ReportAt; readonly work: WorkState }) {
  const { worklist: t } = useTexts();
  const { place } = useProject();
  const mark = useMark();
  const isHandled = attention === 'handled';
  return (
    <div className="first-handled">
      {handled && (
        <Text size="sm">
          {t.handled} · <Timestamp at={handled.at} />
          {handled.by && (
            <>
              {' · '}
              <bdi>{visibleText(t.handledBy(handled.by.name))}</bdi>
            </>
          )}
        </Text>
      )}
      {place.can('reports.write') && (
        <Button
          size="xs"
          variant="default"
          loading={mark.isPending}
          onClick={() =>
            mark.mutate({
              projectId: at.projectId,
              report_ids: [at.reportId],
              mark: isHandled ? 'not_handled' : 'handled',
              seen_results: [result],
            })
          }
        >
          {isHandled ? t.markNotHandled : t.markHandled}
        </Button>
      )}
      <div role="status">{mark.data?.reports[0]?.outcome === 'stale' && <Text size="sm">{t.staleHere}</Text>}</div>
      <Problem error={mark.error} />
    </div>
  );
}
