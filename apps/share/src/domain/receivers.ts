import { AdaptiveLimits, type CallOutcome } from '@tire/kernel';

/** The number of attempts that may be in flight to a receiver without history. */
export const INITIAL_LIMIT = 2;
const LIMIT_MAX = 16;
const FAST_MS = 1_000;

/** The time after which a receiver answered. Null if it did not. Unknown after a failure of this service. */
export type AnsweredMs = number | null | 'unknown';

const outcomeOf = (answeredMs: AnsweredMs): CallOutcome => {
  if (answeredMs === null) return 'timeout';
  // A slow call leaves the limit as it is.
  if (answeredMs === 'unknown') return 'slow';
  return answeredMs < FAST_MS ? 'fast' : 'slow';
};

/**
 * How many attempts each receiver may have in flight in this process: two at first, more if it answers fast, one if it did not answer.
 * So a receiver that hangs holds a handful of attempts at most, however many callbacks wait for it.
 */
export class Receivers {
  private readonly limits = new AdaptiveLimits({ min: 1, initial: INITIAL_LIMIT, max: LIMIT_MAX, onTimeout: 'min' });
  /** Receivers that use all their places for attempts, so that more of their callbacks may wait. */
  private readonly full = new Set<string>();

  /** The number of further attempts that each of these may begin. */
  freeFor(names: Iterable<string>): Map<string, number> {
    const free = new Map<string, number>();
    for (const name of names) free.set(name, this.limits.free(name));
    return free;
  }

  /** Records which attempts began of those that were offered. Returns the receivers that may have more callbacks and have room for them. */
  began(names: readonly string[], offered: ReadonlyMap<string, number>): string[] {
    const counts = new Map<string, number>([...offered.keys()].map((name) => [name, 0]));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    const more: string[] = [];
    for (const [name, count] of counts) {
      if (count > 0) this.limits.begin(name, count);
      const hasLess = count < (offered.get(name) ?? INITIAL_LIMIT);
      // Only the end of an attempt removes a name. Without one in flight, a scan finds the receiver again.
      if (hasLess || this.limits.inFlight(name) === 0) {
        this.full.delete(name);
        continue;
      }
      this.full.add(name);
      if (this.limits.free(name) > 0) more.push(name);
    }
    return more;
  }

  /** True if callbacks may wait that found no room. */
  ended(name: string, answeredMs: AnsweredMs): boolean {
    this.limits.end(name, outcomeOf(answeredMs));
    const mayHaveMore = this.full.has(name);
    if (this.limits.inFlight(name) === 0) this.full.delete(name);
    return mayHaveMore;
  }
}
