import { USAGE_DAYS_MAX } from '@tire/contracts/limits';

const DAY_MS = 86_400_000;
export const PRESETS = [7, 30, 90] as const;
const FIRST_CHOICE = 30;

/** Both inclusive, in UTC, for example 2026-11-21. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const lastDays = (count: number, now = Date.now()): Period => ({ from: dayOf(now - (count - 1) * DAY_MS), to: dayOf(now) });

export const firstPeriod = (): Period => lastDays(FIRST_CHOICE);

export const daysIn = ({ from, to }: Period): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

/** False for invalid dates too: their length is NaN. */
export const isPeriod = (period: Period): boolean => daysIn(period) >= 1 && daysIn(period) <= USAGE_DAYS_MAX;
