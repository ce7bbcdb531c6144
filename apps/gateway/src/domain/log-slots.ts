const DAY_MS = 86_400_000;
/** Complete days, beside the current one. */
export const LOG_DAYS = 7;

/** One more than is in use: that one is emptied a day before it is written again. */
export const LOG_SLOTS = LOG_DAYS + 2;

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

export const slotOf = (at: Date): number => dayOf(at) % LOG_SLOTS;

export const slotToEmpty = (now: Date): number => (dayOf(now) + 1) % LOG_SLOTS;

export const loggedSince = (now: Date): Date => new Date(now.getTime() - LOG_DAYS * DAY_MS);
