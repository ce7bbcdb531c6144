import type { Report } from '@tire/contracts/api';
import type { ReportDetail, WorkState } from '@tire/contracts/console';
import { Anchor, Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { ApiError } from '../../api/client';
import { useProject } from '../../api/project';
import { isMoving } from '../../api/polling';
import { useContent, useMark, useReport, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Loaded } from '../../ui/listing';
import { Page } from '../../ui/page';
import { CustomerSection } from '../customers/customer';
import { RemindersSection } from '../customers/reminders';
import { SendSection } from '../customers/send';
import { NotFound } from '../not-found';
import { About } from './about';
import { CaptureSection } from './capture-link';
import { ContentOfReport } from './content';
import { AnalyzeAgain, Discard, Publish } from './actions';
import { ImageWarnings } from './image-warnings';
import { PastSection } from './report-history';
import { SupportSection } from './support';
import { HoldSection } from './legal-hold';
import { ShareSection } from './share-link';
import { SlotsSection } from './slots';
import { ManualBadge, PublicationBadge } from './status';
import { VerdictSection } from './verdict';
import './reports.css';

export function ReportPage() {
  const { project } = useProject();
  const { reportId = '' } = useParams<{ reportId: string }>();
  const at = { projectId: project.project_id, reportId };
  const query = useReport(at);
  const [discarding, setDiscarding] = useState(false);
  const isGone = query.error instanceof ApiError && query.error.code === 'not_found';
  return (
    <>
      {isGone ? (
        <NotFound />
      ) : (
        <Loaded query={query}>
          {(detail) => <FoundReport key={reportId} at={at} detail={detail} onDiscard={() => setDiscarding(true)} />}
        </Loaded>
      )}
      {/* After an incomplete discard the report is hidden and must be discarded again. */}
      {discarding && <Discard at={at} onClose={() => setDiscarding(false)} />}
    </>
  );
}

interface FoundReportProps {
  readonly at: ReportAt;
  readonly detail: ReportDetail;
  readonly onDiscard: () => void;
}

function FoundReport({ at, detail, onDiscard }: FoundReportProps) {
  const t = useTexts();
  const { report, work } = detail;
  useRead(at, work);
  const plate = report.vehicle.plate_number;
  const content = useContent(at, report);
  return (
    <Page title={plate ? visibleText(plate) : t.reports.noPlate} actions={<Actions at={at} report={report} onDiscard={onDiscard} />}>
      <div className="badges" role="status">
        <ManualBadge mode={report.creation.mode} />
        <PublicationBadge status={report.publication_status} />
        {isMoving(report) && (
          <Text size="sm" c="dimmed">
            {t.report.moving}
          </Text>
        )}
      </div>
      {plate && <AllInspections plate={plate} />}
      <VerdictSection at={at} report={report} work={work} content={content} />
      <ImageWarnings report={report} />
      <div className="screen-only">
        <CustomerSection at={at} />
        <SendSection at={at} report={report} />
        <RemindersSection at={at} />
      </div>
      <ContentOfReport query={content} />
      <SlotsSection at={at} report={report} content={content.data} history={detail.history} />
      <div className="screen-only">
        <CaptureSection at={at} report={report} />
      </div>
      <ShareSection at={at} report={report} />
      <About report={report} />
      <div className="screen-only">
        <HoldSection at={at} />
        <PastSection detail={detail} />
        <SupportSection detail={detail} content={content.data} />
      </div>
    </Page>
  );
}

/** A plate that changed hands has several vehicles. */
function AllInspections({ plate }: { plate: string }) {
  const { vehicles: t } = useTexts();
  const { path } = useProject();
  return (
    <Text size="sm" mb="md" className="screen-only">
      <Anchor component={Link} href={`${path}/vehicles?${new URLSearchParams({ search: plate })}`} underline="always">
        {t.allOf}
      </Anchor>
    </Text>
  );
}

/** The page marks the report as read when it opens. If that fails, the next visit marks it. */
function useRead({ projectId, reportId }: ReportAt, { attention, result }: WorkState): void {
  const { place } = useProject();
  const { mutate } = useMark();
  const isUnread = attention === 'unread' && place.can('reports.write');
  useEffect(() => {
    if (isUnread) mutate({ projectId, report_ids: [reportId], mark: 'read', seen_results: [result] });
  }, [isUnread, mutate, projectId, reportId, result]);
}

type Action = 'publish' | 'analyze';

function Actions({ at, report, onDiscard }: Pick<FoundReportProps, 'at' | 'onDiscard'> & { readonly report: Report }) {
  const t = useTexts();
  const { place, path } = useProject();
  const [open, setOpen] = useState<Action | null>(null);
  const close = () => setOpen(null);
  const publishes = place.can('reports.publish') && report.analysis_status === 'complete' && report.publication_status !== 'published';
  const analyzes = place.can('reports.write') && report.slots.some(({ status }) => status === 'failed');
  return (
    <>
      {place.can('reports.write') && report.analysis_status !== 'complete' && (
        <Button component={Link} href={`${path}/reports/${report.report_id}/images`}>
          {t.creation.images.title}
        </Button>
      )}
      {publishes && <Button onClick={() => setOpen('publish')}>{t.report.publish}</Button>}
      {analyzes && (
        <Button variant="default" onClick={() => setOpen('analyze')}>
          {t.report.analyzeFailed}
        </Button>
      )}
      {place.can('reports.discard') && (
        <Button variant="default" onClick={onDiscard}>
          {t.report.discard}
        </Button>
      )}
      {open === 'publish' && <Publish at={at} onClose={close} />}
      {open === 'analyze' && <AnalyzeAgain at={at} onClose={close} />}
    </>
  );
}
