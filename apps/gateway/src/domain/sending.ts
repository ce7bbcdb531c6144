/** How an attempt to send a message ended. */
export type Outcome =
  | { readonly kind: 'sent' }
  /** The provider refused the message for good. */
  | { readonly kind: 'refused' }
  /** The provider has certainly not taken the message. */
  | { readonly kind: 'unavailable' }
  /** The connection ended while the provider had the message: it may be on its way. */
  | { readonly kind: 'unknown' };

export type Failure = 'refused' | 'unavailable' | 'interrupted' | 'expired';

export interface Attempted {
  /** Attempts that began, the last one included. */
  readonly attempts: number;
  /** Attempts with an unknown outcome. A process that died leaves one. */
  readonly unknownOutcomes: number;
  readonly expiresAt: Date;
}

export type Step =
  | { readonly state: 'sent' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'queued'; readonly nextAt: Date };

const MINUTE_MS = 60_000;
/** The pauses between attempts. A message has one attempt more. */
const PAUSES_MS = [1, 5, 15, 60, 240, 720].map((minutes) => minutes * MINUTE_MS);
/** A message whose outcome is unknown is sent once more, and then given up: a receiver gets it twice at most. */
const UNKNOWN_OUTCOMES_MAX = 1;

/** Before an attempt: the reason why there must be none. */
export function refusalToSend({ unknownOutcomes, expiresAt }: Attempted, now: Date): Failure | null {
  if (unknownOutcomes > UNKNOWN_OUTCOMES_MAX) return 'interrupted';
  return expiresAt <= now ? 'expired' : null;
}

export function afterAttempt({ attempts, unknownOutcomes, expiresAt }: Attempted, outcome: Outcome, now: Date): Step {
  if (outcome.kind === 'sent') return { state: 'sent' };
  if (outcome.kind === 'refused') return { state: 'failed', failure: 'refused' };
  if (outcome.kind === 'unknown' && unknownOutcomes >= UNKNOWN_OUTCOMES_MAX) return { state: 'failed', failure: 'interrupted' };
  const pauseMs = PAUSES_MS[attempts - 1];
  if (pauseMs === undefined) return { state: 'failed', failure: 'unavailable' };
  const nextAt = new Date(now.getTime() + pauseMs);
  return nextAt < expiresAt ? { state: 'queued', nextAt } : { state: 'failed', failure: 'expired' };
}
