import type { ReportNotification } from '@tire/contracts/api';
import { assertNever } from '@tire/kernel';
import type { Announcement } from '../domain/announcement';
import type { CallbackReport } from '../publication/publication.store';

interface Circumstances {
  readonly report: CallbackReport;
  readonly now: Date;
  readonly links: { readonly self: string; readonly content: string; readonly share: string | null };
}

/** The body of a callback. It tells when to read, and holds no result. */
export function messageOf(announcement: Announcement, { report, now, links }: Circumstances): ReportNotification {
  const { type, analysisRevision: analysis_revision } = announcement;
  const { reportId: report_id, externalInspectionId: external_inspection_id, externalVehicleId: external_vehicle_id } = report;
  const timestamp = now.toISOString();
  const about = { external_inspection_id, external_vehicle_id, links };
  switch (type) {
    case 'report.completed':
      return { type, timestamp, data: { report_id, analysis_status: 'complete', analysis_revision, ...about } };
    case 'report.partial':
      return { type, timestamp, data: { report_id, analysis_status: 'partial', analysis_revision, ...about } };
    case 'report.failed':
      return { type, timestamp, data: { report_id, analysis_status: 'failed', analysis_revision, ...about } };
    case 'content.ready': {
      const { contentRevision: content_revision } = announcement;
      const canonical = `${links.content}/${content_revision}`;
      return { type, timestamp, data: { report_id, analysis_revision, content_revision, ...about, links: { ...links, canonical } } };
    }
    case 'share.revoked':
      return { type, timestamp, data: { report_id, ...about } };
    case 'capture.finished':
      return { type, timestamp, data: { report_id, finished_at: announcement.finishedAt.toISOString(), ...about } };
    default:
      return assertNever(type);
  }
}
