/** What a receiver is offered that nothing is known of, or nothing bad and nothing is under way to. */
export const FIRST_ROOM = 2;
const LIMIT_MAX = 16;
/** A receiver that answers within this time is given more at once. */
const QUICK_MS = 1_000;
/** Of those that nothing is under way to. Whoever is forgotten begins anew as a stranger. */
const REMEMBERED_MAX = 10_000;

interface Receiver {
  readonly limit: number;
  readonly underWay: number;
  /** There may be more that there was no room for. */
  readonly mayHaveMore: boolean;
}

const STRANGER: Receiver = { limit: FIRST_ROOM, underWay: 0, mayHaveMore: false };

/**
 * How many tries each receiver may have under way in this process: few for a stranger, more for one that answers quickly, one alone
 * for one that did not answer. So a receiver that hangs holds a handful of tries at most, however much waits for it.
 */
export class Receivers {
  private readonly known = new Map<string, Receiver>();

  /** How many more each of these may have. */
  roomsOf(names: Iterable<string>): Map<string, number> {
    const rooms = new Map<string, number>();
    for (const name of names) {
      const { limit, underWay } = this.known.get(name) ?? STRANGER;
      rooms.set(name, Math.max(0, limit - underWay));
    }
    return rooms;
  }

  /** What was begun of what was offered. Returns those that may have more and have room for it. */
  began(names: readonly string[], offered: ReadonlyMap<string, number>): string[] {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const name of offered.keys()) if (!counts.has(name)) counts.set(name, 0);
    const more: string[] = [];
    for (const [name, count] of counts) {
      const receiver = this.known.get(name) ?? STRANGER;
      const underWay = receiver.underWay + count;
      const mayHaveMore = count >= (offered.get(name) ?? FIRST_ROOM);
      this.remember(name, { ...receiver, underWay, mayHaveMore });
      if (mayHaveMore && underWay < receiver.limit) more.push(name);
    }
    return more;
  }

  /** Says whether more may wait that there was no room for. `answeredMs` is null where there was no answer. */
  ended(name: string, answeredMs: number | null): boolean {
    const receiver = this.known.get(name);
    if (!receiver) return false;
    const limit = answeredMs === null ? 1 : answeredMs < QUICK_MS ? Math.min(receiver.limit * 2, LIMIT_MAX) : receiver.limit;
    this.remember(name, { ...receiver, limit, underWay: receiver.underWay - 1 });
    return receiver.mayHaveMore;
  }

  /** Put last, so that the first ones are those that were not heard of for the longest time. */
  private remember(name: string, receiver: Receiver): void {
    this.known.delete(name);
    this.known.set(name, receiver);
    if (this.known.size > REMEMBERED_MAX) this.forgetOne();
  }

  private forgetOne(): void {
    for (const [name, { underWay }] of this.known) if (underWay === 0) return void this.known.delete(name);
  }
}
