import type { AnalyzeResponse, PublishResponse, ReportSlot } from '@tire/contracts/api';
import { useLocation } from 'wouter';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { reportPath, useReportChanged, useReportGone, type ReportAt } from '../../api/reports';
import type { Texts } from '../../i18n/en';
import { useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import type { ErrorMessages } from '../../ui/problem';

/** Longer than the timeout of the service, which waits for all services that hold data of the report. */
const DISCARD_MS = 40_000;

interface ActionProps {
  readonly at: ReportAt;
  readonly onClose: () => void;
}

/** The texts for a report that was discarded while it was shown. */
export const closedMessages = ({ report }: Texts): ErrorMessages => ({
  report_discarded: report.discarded,
  report_purge_pending: report.purging,
});

/** The given slots, or all failed slots. */
export function AnalyzeAgain({ at, slots, onClose }: ActionProps & { slots?: readonly ReportSlot[] }) {
  const t = useTexts();
  const changed = useReportChanged(at);
  const analyze = async () => {
    const listed = slots?.map(({ module_type, slot }) => ({ module_type, slot }));
    await call<AnalyzeResponse>('POST', `${reportPath(at)}/analyze`, { slots: listed });
    await changed();
  };
  return (
    <Confirm
      title={t.report.analyzeTitle}
      text={slots?.some(({ analysis }) => analysis.gauge) ? `${t.report.analyzeText} ${t.slots.gauge.remeasure}` : t.report.analyzeText}
      submit={t.report.analyze}
      danger={false}
      messages={closedMessages(t)}
      action={analyze}
      onClose={onClose}
    />
  );
}

export function Publish({ at, onClose }: ActionProps) {
  const t = useTexts();
  const changed = useReportChanged(at);
  const publish = async () => {
    await call<PublishResponse>('POST', `${reportPath(at)}/publish`);
    await changed();
  };
  return (
    <Confirm
      title={t.report.publishTitle}
      text={t.report.publishText}
      submit={t.report.publish}
      danger={false}
      messages={{ ...closedMessages(t), publish_requirements_unmet: t.report.publishUnmet }}
      action={publish}
      onClose={onClose}
    />
  );
}

export function Discard({ at, onClose }: ActionProps) {
  const t = useTexts();
  const { path } = useProject();
  const [, go] = useLocation();
  const gone = useReportGone(at);
  const discard = async () => {
    await call('DELETE', reportPath(at), undefined, { timeoutMs: DISCARD_MS });
    go(`${path}/reports`);
    await gone();
  };
  return (
    <Confirm
      title={t.report.discardTitle}
      text={t.report.discardText}
      submit={t.report.discard}
      messages={{ ...closedMessages(t), discard_incomplete: t.report.discardIncomplete }}
      action={discard}
      onClose={onClose}
    />
  );
}
