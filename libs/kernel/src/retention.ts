/** What the service keeps for a time that a project may choose, in days. `keeps`: 0 is allowed and sets no end of its own. */
export const RETENTION = {
  /** From the creation. 0: until it is discarded. */
  reports: { daysMin: 30, daysMax: 3_650, keeps: true },
  /** From the storage of the bytes. 0: as long as the report. */
  photographs: { daysMin: 30, daysMax: 3_650, keeps: true },
  /** From the time at which they were queued, with their attempts. */
  callbacks: { daysMin: 7, daysMax: 730, keeps: false },
  request_log: { daysMin: 1, daysMax: 30, keeps: false },
  /** From the end of a message to a customer. */
  messages: { daysMin: 7, daysMax: 730, keeps: false },
  usage: { daysMin: 400, daysMax: 3_650, keeps: false },
  audit_log: { daysMin: 365, daysMax: 3_650, keeps: false },
} as const satisfies Readonly<Record<string, RetentionBounds>>;

export interface RetentionBounds {
  readonly daysMin: number;
  readonly daysMax: number;
  readonly keeps: boolean;
}

export type RetentionKind = keyof typeof RETENTION;

export const RETENTION_KINDS = Object.keys(RETENTION) as readonly RetentionKind[];

/** Null: what the installation has as its default. */
export function isRetention(kind: RetentionKind, days: number | null): boolean {
  if (days === null) return true;
  const { daysMin, daysMax, keeps } = RETENTION[kind];
  return Number.isInteger(days) && ((keeps && days === 0) || (days >= daysMin && days <= daysMax));
}

/** Whether what is kept ends earlier with the other number of days. */
export function endsEarlier(kind: RetentionKind, days: number, than: number): boolean {
  const end = (value: number): number => (value === 0 && RETENTION[kind].keeps ? Number.POSITIVE_INFINITY : value);
  return end(days) < end(than);
}

const DAY_MS = 86_400_000;

/** What is older has to go. Null: nothing has. */
export const cutOf = (days: number, now: Date): Date | null => (days === 0 ? null : new Date(now.getTime() - days * DAY_MS));
