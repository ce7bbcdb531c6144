import { assertNever, parseSlotId, type Verdict } from '@tire/kernel';
import type { Report as ReportDocument } from '@tire/contracts/api';
import type { AnalysisRevision, ContentProjection, EndedStatus, Report } from './report';
import { isPending } from './slot';
import { meetsRequirements } from './templates';

export type AnalysisStatus = ReportDocument['analysis_status'];
export type PublicationStatus = ReportDocument['publication_status'];
export type SummaryStatus = ReportDocument['summary_status'];

export function analysisStatus({ identity, slots }: Pick<Report, 'identity' | 'slots'>): AnalysisStatus {
  if (slots.some(isPending)) return 'processing';
  const succeeded = slots.filter(({ state }) => state.phase === 'succeeded');
  if (
    meetsRequirements(
      identity.template,
      succeeded.map(({ slotId }) => parseSlotId(slotId)),
    )
  )
    return 'complete';
  // Nothing has gone wrong yet: more images are expected, so no revision is frozen.
  if (!slots.some(({ state }) => state.phase === 'failed')) return 'awaiting_images';
  return succeeded.length > 0 ? 'partial' : 'failed';
}

export const isEnded = (status: AnalysisStatus): status is EndedStatus =>
  status === 'complete' || status === 'partial' || status === 'failed';

const PUBLICATION_STATUSES: Record<PublicationStatus, true> = { unpublished: true, published: true, revoked: true };

export const isPublicationStatus = (text: string): text is PublicationStatus => Object.hasOwn(PUBLICATION_STATUSES, text);

export type ContentState =
  | { readonly status: 'pending' }
  | { readonly status: 'ready'; readonly contentRevision: string; readonly etag: string; readonly verdict: Verdict | null }
  | { readonly status: 'failed'; readonly errorCode: string }
  | { readonly status: 'unavailable' };

/** The facts that decide which content is current. They are few columns, so a read does not load the whole report. */
export interface ContentFacts {
  readonly analysisStatus: AnalysisStatus;
  readonly revision: Pick<AnalysisRevision, 'revisionId'> | null;
  readonly content: ContentProjection | null;
  readonly legacy: boolean;
}

/** While slots are measured again, no older content is shown. An incomplete analysis has no content. */
export function contentState({ analysisStatus: status, revision, content, legacy }: ContentFacts): ContentState {
  if (legacy) return { status: 'unavailable' };
  switch (status) {
    case 'awaiting_images':
    case 'processing':
      return { status: 'pending' };
    case 'partial':
    case 'failed':
      return { status: 'failed', errorCode: 'content_source_incomplete' };
    case 'complete': {
      if (!content || content.analysisRevision !== revision?.revisionId) return { status: 'pending' };
      const { outcome } = content;
      if (outcome.kind === 'failed') return { status: 'failed', errorCode: outcome.errorCode };
      return { status: 'ready', contentRevision: outcome.contentRevision, etag: outcome.etag, verdict: outcome.verdict };
    }
    default:
      return assertNever(status);
  }
}

export function summaryStatus(facts: ContentFacts): SummaryStatus {
  const { analysisStatus: status } = facts;
  if (status === 'partial' || status === 'failed') return status;
  const content = contentState(facts);
  switch (content.status) {
    case 'ready':
      return 'complete';
    case 'failed':
      return 'failed';
    case 'pending':
      return 'pending';
    case 'unavailable':
      return status === 'complete' ? 'complete' : 'pending';
    default:
      return assertNever(content);
  }
}
