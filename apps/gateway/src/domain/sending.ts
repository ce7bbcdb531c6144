/** How an attempt to send a message ended. */
export type Outcome =
  /** The reference is the id in the provider's answer. */
  | { readonly kind: 'sent'; readonly reference?: string }
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
  | { readonly state: 'sent'; readonly reference: string | null }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'queued'; readonly nextAt: Date };

const MINUTE_MS = 60_000;
const pauses = (...minutes: number[]): readonly number[] => minutes.map((each) => each * MINUTE_MS);

/** How often a provider's messages are repeated. */
export interface Retries {
  /** The pauses between attempts. A message has one attempt more. */
  readonly pausesMs: readonly number[];
  /** A message with more attempts of unknown outcome is given up. */
  readonly unknownOutcomesMax: number;
}

/** A mail whose outcome is unknown is sent once more: a receiver gets it twice at most. */
export const MAIL_RETRIES: Retries = { pausesMs: pauses(1, 5, 15, 60, 240, 720), unknownOutcomesMax: 1 };
/** A text message costs money, so one whose outcome is unknown is not sent again. */
export const SMS_RETRIES: Retries = { pausesMs: pauses(1, 5), unknownOutcomesMax: 0 };
/** The provider recognizes a repetition. */
export const IDEMPOTENT_SMS_RETRIES: Retries = { ...SMS_RETRIES, unknownOutcomesMax: 2 };

/** Before an attempt: the reason why there must be none. */
export function refusalToSend({ unknownOutcomes, expiresAt }: Attempted, { unknownOutcomesMax }: Retries, now: Date): Failure | null {
  if (unknownOutcomes > unknownOutcomesMax) return 'interrupted';
  return expiresAt <= now ? givenUp('expired', unknownOutcomes > 0) : null;
}

export function afterAttempt({ attempts, unknownOutcomes, expiresAt }: Attempted, outcome: Outcome, retries: Retries, now: Date): Step {
  if (outcome.kind === 'sent') return { state: 'sent', reference: outcome.reference ?? null };
  if (outcome.kind === 'refused') return { state: 'failed', failure: 'refused' };
  if (outcome.kind === 'unknown' && unknownOutcomes >= retries.unknownOutcomesMax) return { state: 'failed', failure: 'interrupted' };
  const mayHaveArrived = outcome.kind === 'unknown' || unknownOutcomes > 0;
  const pauseMs = retries.pausesMs[attempts - 1];
  if (pauseMs === undefined) return { state: 'failed', failure: givenUp('unavailable', mayHaveArrived) };
  const nextAt = new Date(now.getTime() + pauseMs);
  return nextAt < expiresAt ? { state: 'queued', nextAt } : { state: 'failed', failure: givenUp('expired', mayHaveArrived) };
}

/** The other failures say that no provider has taken the message. */
const givenUp = (failure: 'unavailable' | 'expired', mayHaveArrived: boolean): Failure => (mayHaveArrived ? 'interrupted' : failure);
