import type { CurrentSession } from '@tire/contracts/console';

/** The warning is shown this long before the end, so that there is time to finish typing. */
const WARNED_MS = 5 * 60_000;

type Ends = Pick<CurrentSession, 'idle_ends_at' | 'ends_at'>;

/** The end of a session, by the clock of the service. */
interface Lease {
  /** Idle time after the last request. */
  readonly idleMs: number;
  readonly endsAtMs: number;
}

export interface SessionEnd {
  /** Zero or less: the session has ended. */
  readonly leftMs: number;
  /** Whether a request extends the session. */
  readonly canStay: boolean;
}

export const leaseOf = ({ idle_ends_at, ends_at }: Ends, nowMs: number): Lease => ({
  idleMs: Date.parse(idle_ends_at) - nowMs,
  endsAtMs: Date.parse(ends_at),
});

/** Null: the end is not near. */
export function soonEnd({ idleMs, endsAtMs }: Lease, heardAtMs: number, nowMs: number): SessionEnd | null {
  const idleEndsAtMs = heardAtMs + idleMs;
  const leftMs = Math.min(idleEndsAtMs, endsAtMs) - nowMs;
  return leftMs > WARNED_MS ? null : { leftMs, canStay: idleEndsAtMs < endsAtMs && leftMs > 0 };
}
