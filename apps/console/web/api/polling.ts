import type { Report, ShareRecord } from '@tire/contracts/api';

/** Polling interval while a change is expected. */
const SOON_MS = 2_000;
/** An event publishes the report after its content is written. An older unpublished report waits for a person. */
const PUBLICATION_MS = 60_000;

/** Whether the service measures the report or writes its content. */
export const isMoving = ({ analysis_status, summary_status }: Pick<Report, 'analysis_status' | 'summary_status'>): boolean =>
  analysis_status === 'processing' || (analysis_status !== 'awaiting_images' && summary_status === 'pending');

type Followed = Pick<Report, 'analysis_status' | 'summary_status' | 'publication_status'> & {
  readonly timestamps: Pick<Report['timestamps'], 'analysis_completed_at'>;
};

/** The polling interval of a report; false: refetch on focus only. */
export function reportFollowedMs(report: Followed, nowMs: number): number | false {
  if (isMoving(report)) return SOON_MS;
  const { analysis_status, summary_status, publication_status, timestamps } = report;
  const endedAt = timestamps.analysis_completed_at;
  const isPublishing = analysis_status === 'complete' && summary_status === 'complete' && publication_status === 'unpublished';
  return isPublishing && endedAt !== null && nowMs - Date.parse(endedAt) < PUBLICATION_MS ? SOON_MS : false;
}

/** The share page opens shortly after the report is complete again. */
export const shareFollowedMs = (
  report: Pick<Followed, 'summary_status' | 'publication_status'>,
  share: Pick<ShareRecord, 'status'> | undefined,
): number | false =>
  share?.status === 'closed' && report.publication_status === 'published' && report.summary_status === 'complete' ? SOON_MS : false;
