import type { CurrentSession } from '@tire/contracts';

/** Time enough to end a sentence, and to find the button. */
const WARNED_MS = 5 * 60_000;

type Ends = Pick<CurrentSession, 'idle_ends_at' | 'ends_at'>;

/** When a session ends, by the clock of the service. */
interface Lease {
  /** After whatever is asked last. */
  readonly idleMs: number;
  readonly endsAtMs: number;
}

export interface SessionEnd {
  /** Nothing, or less: it has ended. */
  readonly leftMs: number;
  /** Whether asking for anything makes it longer. */
  readonly canStay: boolean;
}

export const leaseOf = ({ idle_ends_at, ends_at }: Ends, nowMs: number): Lease => ({
  idleMs: Date.parse(idle_ends_at) - nowMs,
  endsAtMs: Date.parse(ends_at),
});

/** Null: not soon. */
export function soonEnd({ idleMs, endsAtMs }: Lease, heardAtMs: number, nowMs: number): SessionEnd | null {
  const idleEndsAtMs = heardAtMs + idleMs;
  const leftMs = Math.min(idleEndsAtMs, endsAtMs) - nowMs;
  return leftMs > WARNED_MS ? null : { leftMs, canStay: idleEndsAtMs < endsAtMs && leftMs > 0 };
}
