import { ApiError } from '../../api/client';
import type { Texts } from '../../i18n/en';
import type { ErrorMessages } from '../../ui/problem';
import type { SendProblem } from '../creation/slot-state';

/** By the param of the error, else by its code. */
const PROBLEMS: Readonly<Partial<Record<string, SendProblem>>> = {
  image_none: 'none',
  image_type: 'notImage',
  image_size: 'tooLarge',
  image_empty: 'empty',
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

/** The same texts for a form. */
export const sendSayings = ({ upload }: Texts): ErrorMessages =>
  Object.fromEntries(Object.entries(PROBLEMS).map(([what, problem]) => [what, upload.problems[problem!]]));
