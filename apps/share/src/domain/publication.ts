import { assertNever, timeOfId } from '@tire/kernel';

/** The result of content for one analysis revision. */
export interface ContentOutcome {
  readonly analysisRevision: string;
  /** Null if the gate is not met: the analysis is not complete, or its content could not be generated. */
  readonly contentRevision: string | null;
  /** complete, partial or failed. */
  readonly analysisStatus: string;
}

/** The gate is met. */
export type PublishedContent = ContentOutcome & { readonly contentRevision: string };

/** The newest share link. An older one never opens again. */
export interface Link {
  readonly id: string;
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  /** The token, sealed. */
  readonly token: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

interface Known {
  /** Increases with each change, so that the ledger recognizes an old message. */
  readonly version: number;
  readonly link: Link;
  /** The latest end of a capture that was announced. */
  readonly captureFinishedAt: Date | null;
}

/**
 * Messages arrive in any order. Content that arrives before its report is held until the report is registered. `last` is the newest
 * result of content.
 */
export type Publication =
  | { readonly status: 'absent' }
  | { readonly status: 'held'; readonly last: ContentOutcome }
  | ({ readonly status: 'unpublished'; readonly last: ContentOutcome | null } & Known)
  | ({ readonly status: 'published'; readonly last: ContentOutcome; readonly publishedAt: Date } & Known)
  | ({ readonly status: 'revoked'; readonly last: ContentOutcome; readonly publishedAt: Date } & Known)
  | { readonly status: 'discarded' };

export type Registered = Extract<Publication, Known>;

export type Command =
  | { readonly kind: 'register'; readonly link: Link }
  | { readonly kind: 'contentGenerated'; readonly outcome: ContentOutcome }
  | { readonly kind: 'revokeLink' }
  | { readonly kind: 'issueLink'; readonly link: Link }
  | { readonly kind: 'finishCapture'; readonly at: Date }
  | { readonly kind: 'discard' };

export type PublicationEvent =
  | { readonly kind: 'registered'; readonly link: Link }
  | { readonly kind: 'contentHeld'; readonly outcome: ContentOutcome }
  | { readonly kind: 'gateUnmet'; readonly outcome: ContentOutcome }
  | { readonly kind: 'published'; readonly outcome: PublishedContent; readonly at: Date }
  | { readonly kind: 'revoked'; readonly outcome: ContentOutcome }
  | { readonly kind: 'linkRevoked'; readonly at: Date }
  | { readonly kind: 'linkIssued'; readonly link: Link }
  | { readonly kind: 'captureFinished'; readonly at: Date }
  | { readonly kind: 'discarded' };

export const INITIAL: Publication = { status: 'absent' };

export function decide(state: Publication, command: Command, now: Date): PublicationEvent[] {
  if (state.status === 'discarded') return [];
  switch (command.kind) {
    case 'register':
      return decideRegister(state, command.link, now);
    case 'contentGenerated':
      return decideContent(state, command.outcome, now);
    case 'revokeLink':
      return registered(state).link.revokedAt === null ? [{ kind: 'linkRevoked', at: now }] : [];
    case 'issueLink':
      registered(state);
      return [{ kind: 'linkIssued', link: command.link }];
    case 'finishCapture': {
      // A repeated message, or that of an earlier link of the report.
      const noted = registered(state).captureFinishedAt;
      return noted === null || noted < command.at ? [{ kind: 'captureFinished', at: command.at }] : [];
    }
    case 'discard':
      return [{ kind: 'discarded' }];
    default:
      return assertNever(command);
  }
}

/** A command about a registered report registers it first, in the same transaction. */
function registered(state: Publication): Registered {
  if (!('link' in state)) throw new Error(`A publication that is ${state.status} has no link`);
  return state;
}

type Alive = Exclude<Publication, { status: 'discarded' }>;

function decideRegister(state: Alive, link: Link, now: Date): PublicationEvent[] {
  switch (state.status) {
    case 'absent':
      return [{ kind: 'registered', link }];
    case 'held':
      return [{ kind: 'registered', link }, judged(state.last, now)];
    case 'unpublished':
    case 'published':
    case 'revoked':
      return [];
    default:
      return assertNever(state);
  }
}

function decideContent(state: Alive, outcome: ContentOutcome, now: Date): PublicationEvent[] {
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

const isPublished = (outcome: ContentOutcome): outcome is PublishedContent => outcome.contentRevision !== null;

const judged = (outcome: ContentOutcome, at: Date): PublicationEvent =>
  isPublished(outcome) ? { kind: 'published', outcome, at } : { kind: 'gateUnmet', outcome };

/** Revision ids contain their time. A result for an older analysis changes nothing. */
function isNewer({ analysisRevision }: ContentOutcome, last: ContentOutcome | null): boolean {
  if (last === null) return true;
  if (analysisRevision === last.analysisRevision) return false;
  return timeOfId(analysisRevision).getTime() >= timeOfId(last.analysisRevision).getTime();
}

export function evolve(state: Publication, event: PublicationEvent): Publication {
  switch (event.kind) {
    case 'registered':
      return { status: 'unpublished', version: 1, link: event.link, last: null, captureFinishedAt: null };
    case 'contentHeld':
      return { status: 'held', last: event.outcome };
    case 'discarded':
      return { status: 'discarded' };
    default:
      return evolveRegistered(registered(state), event);
  }
}

type RegisteredEvent = Exclude<PublicationEvent, { kind: 'registered' | 'contentHeld' | 'discarded' }>;

function evolveRegistered(state: Registered, event: RegisteredEvent): Publication {
  const known = { version: state.version + 1, link: state.link, captureFinishedAt: state.captureFinishedAt };
  switch (event.kind) {
    case 'gateUnmet':
      return state.status === 'unpublished'
        ? { ...known, status: 'unpublished', last: event.outcome }
        : { ...known, status: 'revoked', last: event.outcome, publishedAt: state.publishedAt };
    case 'published': {
      // A page that stays published keeps its publication time.
      const publishedAt = state.status === 'published' ? state.publishedAt : event.at;
      return { ...known, status: 'published', last: event.outcome, publishedAt };
    }
    case 'revoked':
      if (state.status === 'unpublished') throw new Error('Only what was published can be revoked');
      return { ...known, status: 'revoked', last: event.outcome, publishedAt: state.publishedAt };
    case 'linkRevoked':
      return { ...state, ...known, link: { ...state.link, revokedAt: event.at } };
    case 'linkIssued':
      return { ...state, ...known, link: event.link };
    case 'captureFinished':
      return { ...state, ...known, captureFinishedAt: event.at };
    default:
      return assertNever(event);
  }
}
