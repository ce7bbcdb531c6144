import { assertNever, type Standing } from '@tire/kernel';
import type { ReportEvent } from './report';
import { contentState, type ContentFacts } from './status';

/** What lists show of the report: the verdict of its content, or why there is none. */
export function standingOf(facts: ContentFacts): Standing {
  const { analysisStatus: status } = facts;
  if (status !== 'complete') return status;
  const content = contentState(facts);
  switch (content.status) {
    case 'ready':
      return content.verdict ?? 'unjudged';
    case 'pending':
      return 'unjudged';
    case 'failed':
      return 'content_failed';
    case 'unavailable':
      return 'unknown';
    default:
      return assertNever(content);
  }
}

/** A new result is unread, and what was handled before it is not handled any more. */
export const isNewResult = (event: ReportEvent): boolean => event.type === 'contentNoted';
