import { USAGE_DAYS_MAX } from '@tire/contracts/limits';
import { dayIn } from '@tire/kernel/time-zones';

const DAY_MS = 86_400_000;
export const PRESETS = [7, 30, 90] as const;
const FIRST_CHOICE = 30;

/** Both inclusive, in the zone of the project, for example 2026-11-21. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export function lastDays(count: number, now = Date.now(), timeZone = 'UTC'): Period {
  const to = dayIn(timeZone, new Date(now));
  return { from: dayOf(Date.parse(to) - (count - 1) * DAY_MS), to };
}

export const firstPeriod = (timeZone = 'UTC'): Period => lastDays(FIRST_CHOICE, Date.now(), timeZone);

/** The zone in which it is the latest day at this moment. */
export const latestZone = (zones: readonly string[], now = Date.now()): string =>
  zones.reduce((latest, zone) => (dayIn(zone, new Date(now)) > dayIn(latest, new Date(now)) ? zone : latest), 'UTC');

export const daysIn = ({ from, to }: Period): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

/** False for invalid dates too: their length is NaN. */
export const isPeriod = (period: Period): boolean => daysIn(period) >= 1 && daysIn(period) <= USAGE_DAYS_MAX;
