import type { Report, ShareRecord } from '@tire/contracts';

/** While something is about to change. */
const SOON_MS = 2_000;
/** Publication follows the content, by an event; a report that is older, and not published, waits for a person. */
const PUBLICATION_MS = 60_000;

/** What the service is doing about the report by itself; nothing, where it waits for a person. */
export const isMoving = ({ analysis_status, summary_status }: Pick<Report, 'analysis_status' | 'summary_status'>): boolean =>
  analysis_status === 'processing' || (analysis_status !== 'awaiting_images' && summary_status === 'pending');

type Followed = Pick<Report, 'analysis_status' | 'summary_status' | 'publication_status'> & {
  readonly timestamps: Pick<Report['timestamps'], 'analysis_completed_at'>;
};

/** When a report is to be asked for again; false: when somebody comes back to the page. */
export function reportFollowedMs(report: Followed, nowMs: number): number | false {
  if (isMoving(report)) return SOON_MS;
  const { analysis_status, summary_status, publication_status, timestamps } = report;
  const endedAt = timestamps.analysis_completed_at;
  const isPublishing = analysis_status === 'complete' && summary_status === 'complete' && publication_status === 'unpublished';
  return isPublishing && endedAt !== null && nowMs - Date.parse(endedAt) < PUBLICATION_MS ? SOON_MS : false;
}

/** The page of a published report opens a moment after the report is whole again. */
export const shareFollowedMs = (
  report: Pick<Followed, 'summary_status' | 'publication_status'>,
  share: Pick<ShareRecord, 'status'> | undefined,
): number | false =>
  share?.status === 'closed' && report.publication_status === 'published' && report.summary_status === 'complete' ? SOON_MS : false;
