const DAY_MS = 86_400_000;
/** Complete days, beside the current one. */
export const LOG_DAYS = 30;

/** One more than is in use: that one is emptied a day before it is written again. The first ring, of earlier releases, held seven days. */
const EARLIER_SLOTS = 9;
const SLOTS = LOG_DAYS + 2;

export const LOG_SLOTS = EARLIER_SLOTS + SLOTS;

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

export const slotOf = (at: Date): number => EARLIER_SLOTS + (dayOf(at) % SLOTS);

/** Of both rings: an earlier release may still write beside this one, or have written the days before. */
export const slotsToEmpty = (now: Date): readonly number[] => [
  EARLIER_SLOTS + ((dayOf(now) + 1) % SLOTS),
  (dayOf(now) + 1) % EARLIER_SLOTS,
];

export const loggedSince = (now: Date): Date => new Date(now.getTime() - LOG_DAYS * DAY_MS);
