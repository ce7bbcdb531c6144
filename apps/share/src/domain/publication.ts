import { assertNever, timeOfId } from '@tire/kernel';

/** What content said about one analysis revision. */
export interface ContentOutcome {
  readonly analysisRevision: string;
  /** Null when the gate is not met: the analysis is not complete or its content could not be made. */
  readonly contentRevision: string | null;
}

/**
 * Messages come in any order, so content may be heard of before its report: it is held until the report is registered.
 * `last` is the newest analysis revision that content spoke of.
 */
export type Publication =
  | { readonly status: 'absent' }
  | { readonly status: 'held'; readonly last: ContentOutcome }
  | { readonly status: 'unpublished'; readonly version: number; readonly last: ContentOutcome | null }
  | { readonly status: 'published'; readonly version: number; readonly last: ContentOutcome; readonly publishedAt: Date }
  | { readonly status: 'revoked'; readonly version: number; readonly last: ContentOutcome; readonly publishedAt: Date };

export type Command = { readonly kind: 'register' } | { readonly kind: 'contentGenerated'; readonly outcome: ContentOutcome };

export type PublicationEvent =
  | { readonly kind: 'registered' }
  | { readonly kind: 'contentHeld'; readonly outcome: ContentOutcome }
  | { readonly kind: 'gateUnmet'; readonly outcome: ContentOutcome }
  | { readonly kind: 'published'; readonly outcome: ContentOutcome; readonly at: Date }
  | { readonly kind: 'revoked'; readonly outcome: ContentOutcome };

export const INITIAL: Publication = { status: 'absent' };

export function decide(state: Publication, command: Command, now: Date): PublicationEvent[] {
  switch (command.kind) {
    case 'register':
      return decideRegister(state, now);
    case 'contentGenerated':
      return decideContent(state, command.outcome, now);
    default:
      return assertNever(command);
  }
}

function decideRegister(state: Publication, now: Date): PublicationEvent[] {
  switch (state.status) {
    case 'absent':
      return [{ kind: 'registered' }];
    case 'held':
      return [{ kind: 'registered' }, judged(state.last, now)];
    case 'unpublished':
    case 'published':
    case 'revoked':
      return [];
    default:
      return assertNever(state);
  }
}

function decideContent(state: Publication, outcome: ContentOutcome, now: Date): PublicationEvent[] {
  switch (state.status) {
    case 'absent':
      return [{ kind: 'contentHeld', outcome }];
    case 'held':
      return isNewer(outcome, state.last) ? [{ kind: 'contentHeld', outcome }] : [];
    case 'unpublished':
    case 'revoked':
      return isNewer(outcome, state.last) ? [judged(outcome, now)] : [];
    case 'published':
      if (!isNewer(outcome, state.last)) return [];
      return outcome.contentRevision === null ? [{ kind: 'revoked', outcome }] : [judged(outcome, now)];
    default:
      return assertNever(state);
  }
}

const judged = (outcome: ContentOutcome, at: Date): PublicationEvent =>
  outcome.contentRevision === null ? { kind: 'gateUnmet', outcome } : { kind: 'published', outcome, at };

/** Revision ids carry their time: what was said about an older analysis changes nothing any more. */
function isNewer({ analysisRevision }: ContentOutcome, last: ContentOutcome | null): boolean {
  if (last === null) return true;
  if (analysisRevision === last.analysisRevision) return false;
  return timeOfId(analysisRevision).getTime() >= timeOfId(last.analysisRevision).getTime();
}

export function evolve(state: Publication, event: PublicationEvent): Publication {
  const version = 'version' in state ? state.version : 0;
  const publishedAt = 'publishedAt' in state ? state.publishedAt : null;
  switch (event.kind) {
    case 'registered':
      return { status: 'unpublished', version: version + 1, last: null };
    case 'contentHeld':
      return { status: 'held', last: event.outcome };
    case 'gateUnmet':
      // Nothing that a reader of the report sees has changed: the version stays.
      return publishedAt === null
        ? { status: 'unpublished', version, last: event.outcome }
        : { status: 'revoked', version, last: event.outcome, publishedAt };
    case 'published':
      // A page that stayed published keeps the time since when it is.
      return {
        status: 'published',
        version: version + 1,
        last: event.outcome,
        publishedAt: state.status === 'published' ? state.publishedAt : event.at,
      };
    case 'revoked':
      if (publishedAt === null) throw new Error('Only what was published can be revoked');
      return { status: 'revoked', version: version + 1, last: event.outcome, publishedAt };
    default:
      return assertNever(event);
  }
}
