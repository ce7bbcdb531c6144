import { EXPORT_ATTEMPTS_MAX, EXPORT_HOUR, EXPORT_KEPT_DAYS, type ExportFault, type ExportFrequency } from '@tire/contracts/limits';
import { dayIn, hourOfDay, startOfDay } from '@tire/kernel';

/** Whole days in the zone of the project. */
export interface Period {
  readonly firstDay: string;
  readonly lastDay: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const plusDays = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

const monday = (day: string): string => plusDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** The period with this day in it. Weeks begin on Monday. */
export function periodOf(frequency: ExportFrequency, day: string): Period {
  if (frequency === 'daily') return { firstDay: day, lastDay: day };
  if (frequency === 'weekly') return { firstDay: monday(day), lastDay: plusDays(monday(day), 6) };
  const firstDay = `${day.slice(0, 7)}-01`;
  const nextMonth = plusDays(firstDay, 31).slice(0, 7);
  return { firstDay, lastDay: plusDays(`${nextMonth}-01`, -1) };
}

export const periodAfter = (frequency: ExportFrequency, { lastDay }: Period): Period => periodOf(frequency, plusDays(lastDay, 1));

/** When the file of a period is made. */
export const dueAt = (timeZone: string, { lastDay }: Period): Date => hourOfDay(timeZone, plusDays(lastDay, 1), EXPORT_HOUR);

/** The first moment of the period, and the first one after it. */
export const boundsOf = (timeZone: string, { firstDay, lastDay }: Period) => ({
  from: startOfDay(timeZone, firstDay),
  before: startOfDay(timeZone, plusDays(lastDay, 1)),
});

export const expiryOf = (due: Date): Date => new Date(due.getTime() + EXPORT_KEPT_DAYS * DAY_MS);

/** After a long outage the periods are left out whose files would have expired. */
export function oldestPeriod(frequency: ExportFrequency, firstDay: string, timeZone: string, now: Date): Period {
  const oldest = periodOf(frequency, plusDays(dayIn(timeZone, now), -EXPORT_KEPT_DAYS));
  return periodOf(frequency, firstDay < oldest.firstDay ? oldest.firstDay : firstDay);
}

interface NamedFile {
  readonly kind: string;
  readonly frequency: ExportFrequency;
  readonly format: string;
  readonly scheduleId: string;
}

/** The same for each attempt, and for no other schedule of the project. */
export const fileName = ({ kind, frequency, format, scheduleId }: NamedFile, { firstDay }: Period): string =>
  `${kind}-${frequency}-${firstDay}-${scheduleId.slice(-8)}.${format}`;

/** Between two attempts. The last one is a day after the first one. */
const PAUSES_MIN = [1, 5, 15, 60, 180, 360, 840];
/** Another attempt would make the same file. */
const FINAL: ReadonlySet<ExportFault> = new Set(['too_large']);
/** A fault that lasts for so many attempts, about 20 minutes, is mailed. */
const MAILED_AFTER = 4;

/** When the next attempt is; null: there is none. */
export function nextAttemptAt(attempts: number, fault: ExportFault, now: Date): Date | null {
  const pause = PAUSES_MIN[attempts - 1];
  if (FINAL.has(fault) || attempts >= EXPORT_ATTEMPTS_MAX || pause === undefined) return null;
  return new Date(now.getTime() + pause * MINUTE_MS);
}

/** Once for each file. */
export const isMailed = (attempts: number, fault: ExportFault): boolean =>
  attempts === MAILED_AFTER || (FINAL.has(fault) && attempts < MAILED_AFTER);

/** What the answer of a bucket to a PUT means; null: it has the file. Without an answer the status is 0. */
export function faultOfAnswer(status: number, reason: string): ExportFault | null {
  if (status >= 200 && status <= 299) return null;
  if (status === 401 || status === 403) return 'bucket_refused';
  if (status === 404) return 'bucket_missing';
  if (status !== 0) return 'bucket_error';
  if (reason === 'forbidden' || reason === 'bad_url') return 'bucket_forbidden';
  return reason === 'timeout' ? 'bucket_timeout' : 'bucket_unreachable';
}
