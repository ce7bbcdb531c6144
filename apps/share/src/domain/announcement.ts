import { assertNever } from '@tire/kernel';
import type { ContentOutcome, PublicationEvent, PublishedContent } from './publication';

/** What a partner can be told about a report. */
export type Announcement =
  | { readonly type: 'report.completed' | 'report.partial' | 'report.failed'; readonly analysisRevision: string }
  | { readonly type: 'content.ready'; readonly analysisRevision: string; readonly contentRevision: string }
  | { readonly type: 'share.revoked'; readonly analysisRevision: null }
  | { readonly type: 'capture.finished'; readonly analysisRevision: null; readonly finishedAt: Date };

/** The notifications that follow from an event. Which of them are sent is the choice of the project, except report.completed. */
export function announcementsOf(event: PublicationEvent): readonly Announcement[] {
  switch (event.kind) {
    case 'published':
      return ofPublication(event.outcome);
    case 'gateUnmet':
    case 'revoked':
      return ofUnmetGate(event.outcome);
    case 'linkRevoked':
      return [{ type: 'share.revoked', analysisRevision: null }];
    case 'captureFinished':
      return [{ type: 'capture.finished', analysisRevision: null, finishedAt: event.at }];
    case 'registered':
    case 'contentHeld':
    case 'linkIssued':
    case 'discarded':
      return [];
    default:
      return assertNever(event);
  }
}

const ofPublication = ({ analysisRevision, contentRevision }: PublishedContent): readonly Announcement[] => [
  { type: 'report.completed', analysisRevision },
  { type: 'content.ready', analysisRevision, contentRevision },
];

/** A complete analysis whose content could not be generated is neither: it is repaired by the service, not by the partner. */
function ofUnmetGate({ analysisStatus, analysisRevision }: ContentOutcome): readonly Announcement[] {
  if (analysisStatus === 'partial') return [{ type: 'report.partial', analysisRevision }];
  return analysisStatus === 'failed' ? [{ type: 'report.failed', analysisRevision }] : [];
}
