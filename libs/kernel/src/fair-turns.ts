interface FairTurnsOptions {
  /** How much work runs at once, in the unit of the weights. Infinity: each key is limited by itself only. */
  readonly capacity: number;
  /** How much of it one key may hold. Work that is heavier runs alone for its key. Default: all of it. */
  readonly ofKey?: number;
  /** How many of one key may wait. The next one is refused. Default: any number, where something else bounds what waits. */
  readonly waitingOfKey?: number;
}

interface TurnOptions {
  /** Default: 1. Work heavier than the capacity counts as the capacity. */
  readonly weight?: number;
  /** It waits until this time of `performance.now()`, so that several turns of one request share its time. */
  readonly untilMs?: number;
  /** Aborts when the work is not needed any more. Work that already runs is not stopped. */
  readonly signal?: AbortSignal;
}

/** Too much of one key waits already. Nothing was begun. */
export class TooManyWaiting extends Error {
  constructor() {
    super('Too much work of one key waits');
    this.name = 'TooManyWaiting';
  }
}

/** Its turn did not come in time. Nothing was begun. */
export class WaitedTooLong extends Error {
  constructor() {
    super('The turn of the work did not come in time');
    this.name = 'WaitedTooLong';
  }
}

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/** How often others may overtake the key that waits longest: newcomers, and light work while there is no room for heavy work. */
const OVERTAKEN_MAX = 64;

/**
 * Runs work in turns. The next turn goes to the waiting key that holds the least; among equals, to the one that had no turn yet, or had its
 * last turn first. The work of one key runs in order. So a key that has much waiting delays its own work, and another key waits for at most
 * one turn.
 */
export class FairTurns {
  private readonly options: Required<FairTurnsOptions>;
  private free: number;
  private readonly held = new Map<string, number>();
  /** The waiting work by key, in the order of the last turns: a key that gets a turn moves to the end. */
  private readonly waiting = new Map<string, Waiting[]>();
  /** The number of the last turn of each key that holds or waits. */
  private readonly lastTurns = new Map<string, number>();
  private turns = 0;
  private overtaken = 0;

  constructor({ capacity, ofKey = capacity, waitingOfKey = Infinity }: FairTurnsOptions) {
    this.options = { capacity, ofKey, waitingOfKey };
    this.free = capacity;
  }

  /** Rejects without a turn: with `TooManyWaiting`, with `WaitedTooLong`, or with the reason of the signal. */
  async run<T>(key: string, work: () => Promise<T>, { weight = 1, untilMs, signal }: TurnOptions = {}): Promise<T> {
    const taken = Math.min(weight, this.options.capacity);
    signal?.throwIfAborted();
    if (this.waiting.size === 0 && this.fits(key, taken)) this.begin(key, taken);
    else await this.turn(key, taken, untilMs, signal);
    try {
      return await work();
    } finally {
      this.end(key, taken);
    }
  }

  waitingOf(key: string): number {
    return this.waiting.get(key)?.length ?? 0;
  }

  private turn(key: string, weight: number, untilMs: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    const queue = this.waiting.get(key) ?? [];
    if (queue.length >= this.options.waitingOfKey) return Promise.reject(new TooManyWaiting());
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        clearTimeout(expiry);
        signal?.removeEventListener('abort', cancel);
      };
      const giveUp = (reason: unknown): void => {
        stopWaiting();
        this.remove(key, waiting);
        reject(reason as Error);
      };
      const cancel = (): void => giveUp(signal!.reason);
      const expiry = untilMs === undefined ? undefined : setTimeout(() => giveUp(new WaitedTooLong()), untilMs - performance.now());
      signal?.addEventListener('abort', cancel);
      const waiting: Waiting = {
        weight,
        start: () => {
          stopWaiting();
          resolve();
        },
      };
      queue.push(waiting);
      this.waiting.set(key, queue);
      this.startWaiting();
    });
  }

  private remove(key: string, waiting: Waiting): void {
    const queue = this.waiting.get(key)!;
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) {
      this.waiting.delete(key);
      this.forget(key);
    }
    // It may have blocked the entries behind it.
    this.startWaiting();
  }

  private begin(key: string, weight: number): void {
    this.free -= weight;
    this.lastTurns.set(key, ++this.turns);
    this.held.set(key, this.holds(key) + weight);
  }

  private end(key: string, weight: number): void {
    this.free += weight;
    const left = this.holds(key) - weight;
    if (left > 0) this.held.set(key, left);
    else this.held.delete(key);
    this.forget(key);
    this.startWaiting();
  }

  private forget(key: string): void {
    if (!this.held.has(key) && !this.waiting.has(key)) this.lastTurns.delete(key);
  }

  private startWaiting(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const queue = this.waiting.get(next)!;
      const { weight, start } = queue.shift()!;
      this.waiting.delete(next);
      if (queue.length > 0) this.waiting.set(next, queue);
      this.begin(next, weight);
      start();
    }
  }

  private next(): string | undefined {
    let longest: string | undefined;
    let fairest: string | undefined;
    for (const [key, [first]] of this.waiting) {
      if (!this.mayHold(key, first!.weight)) continue;
      longest ??= key;
      if (first!.weight <= this.free && (fairest === undefined || this.isBefore(key, fairest))) fairest = key;
    }
    if (longest === undefined) return undefined;
    if (this.overtaken >= OVERTAKEN_MAX) fairest = this.weightOf(longest) <= this.free ? longest : undefined;
    if (fairest !== undefined) this.overtaken = fairest === longest ? 0 : this.overtaken + 1;
    return fairest;
  }

  private isBefore(one: string, other: string): boolean {
    return (this.holds(one) - this.holds(other) || this.lastTurnOf(one) - this.lastTurnOf(other)) < 0;
  }

  private lastTurnOf(key: string): number {
    return this.lastTurns.get(key) ?? 0;
  }

  private weightOf(key: string): number {
    return this.waiting.get(key)![0]!.weight;
  }

  private holds(key: string): number {
    return this.held.get(key) ?? 0;
  }

  private mayHold(key: string, weight: number): boolean {
    return this.holds(key) === 0 || this.holds(key) + weight <= this.options.ofKey;
  }

  private fits(key: string, weight: number): boolean {
    return weight <= this.free && this.mayHold(key, weight);
  }
}
