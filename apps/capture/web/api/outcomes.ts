import type { Outcome } from '../uploads/sender';
import { ApiError } from './api-error';

/** What an error of the API means for the queue. What it does not know is tried again: nothing is lost because of a fault in between. */
export function outcomeOf(error: unknown): Exclude<Outcome<never>, { type: 'done' }> {
  if (!(error instanceof ApiError)) return { type: 'later', askedMs: 0 };
  const { status, code, retryAfterMs } = error;
  if (code === 'capture_ended') return { type: 'over', why: 'ended' };
  if (code === 'report_discarded') return { type: 'over', why: 'closed' };
  if (code === 'slot_already_succeeded') return { type: 'taken' };
  if (status === 404 && code === 'not_found') return { type: 'over', why: 'link' };
  if (status === 422) return { type: 'unfit' };
  return { type: 'later', askedMs: retryAfterMs };
}
