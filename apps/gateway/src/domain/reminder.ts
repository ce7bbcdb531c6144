import { dayIn, hourOfDay } from '@tire/kernel';

export type ReminderReason = 'six_months' | 'depth';
/** Why one that was planned is not sent. */
export type EndCause = 'receiver' | 'shop' | 'consent' | 'address' | 'inspected' | 'report' | 'late' | 'text';

const HOUR_MS = 3_600_000;
/** Reminders go out from 8 to 21 o'clock only, in the zone of the project. */
const FIRST_HOUR = 8;
const LAST_HOUR = 21;
/** When a reminder is due on its day. */
const DUE_HOUR = 10;
const LATE_AFTER_MS = 30 * 24 * HOUR_MS;

const nextDay = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);

/** The same day six months later, or the last one of its month. */
export function sixMonthsAfter(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + 6, 0));
  last.setUTCDate(Math.min(date, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

/** Not today: the report of today says already that a tire is worn. */
export function dueAt(timeZone: string, day: string, now: Date): Date {
  const tomorrow = nextDay(dayIn(timeZone, now));
  return hourOfDay(timeZone, day < tomorrow ? tomorrow : day, DUE_HOUR);
}

/** When a reminder may go out that is due now: now, or when the night ends. */
export function sendableAt(timeZone: string, now: Date): Date {
  const day = dayIn(timeZone, now);
  const opens = hourOfDay(timeZone, day, FIRST_HOUR);
  if (now < opens) return opens;
  return now < hourOfDay(timeZone, day, LAST_HOUR) ? now : hourOfDay(timeZone, nextDay(day), FIRST_HOUR);
}

/** A message that is not sent by then would wake somebody. */
export const sendableUntil = (timeZone: string, now: Date): Date => hourOfDay(timeZone, dayIn(timeZone, now), LAST_HOUR);

export const isLate = (due: Date, now: Date): boolean => now.getTime() - due.getTime() > LATE_AFTER_MS;
