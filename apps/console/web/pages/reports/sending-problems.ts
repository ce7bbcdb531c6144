import { ApiError } from '../../api/client';
import type { Texts } from '../../i18n/en';
import type { Sayings } from '../../ui/problem';
import type { SendProblem } from '../creation/slot-state';

/** By what a refusal is about, or else by its code. */
const PROBLEMS: Readonly<Partial<Record<string, SendProblem>>> = {
  photograph_none: 'none',
  photograph_type: 'notImage',
  photograph_size: 'tooLarge',
  photograph_empty: 'empty',
  unreachable: 'notSent',
  validation_error: 'refused',
  slot_already_succeeded: 'taken',
  report_discarded: 'closed',
  report_purge_pending: 'closed',
};

export function problemOf(error: unknown): SendProblem {
  if (!(error instanceof ApiError)) return 'refused';
  return PROBLEMS[error.param ?? ''] ?? PROBLEMS[error.code] ?? 'refused';
}

/** The same words for a form. */
export const sendSayings = ({ upload }: Texts): Sayings =>
  Object.fromEntries(Object.entries(PROBLEMS).map(([what, problem]) => [what, upload.problems[problem!]]));
