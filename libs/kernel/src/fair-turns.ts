interface FairTurnsOptions {
  /** How much work runs at once, in the unit of the weights. */
  readonly capacity: number;
  /** How much of it one key may hold. Work that is heavier runs as the only work of its key. */
  readonly ofKey: number;
  /** How many of one key may wait. The next one is refused. */
  readonly waitingOfKey: number;
}

/** Too much of one key waits already. Nothing was begun. */
export class TooManyWaiting extends Error {
  constructor() {
    super('Too much work of one key waits');
    this.name = 'TooManyWaiting';
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
  private free: number;
  private readonly held = new Map<string, number>();
  /** In the order of the last turns: a key that gets a turn moves to the end. */
  private readonly waiting = new Map<string, Waiting[]>();
  /** Of the keys that hold or wait. */
  private readonly lastTurns = new Map<string, number>();
  private turns = 0;
  private overtaken = 0;

  constructor(private readonly options: FairTurnsOptions) {
    this.free = options.capacity;
  }

  /** Rejects with `TooManyWaiting`, without a turn, if the key has too much waiting. */
  async run<T>(key: string, work: () => Promise<T>, weight = 1): Promise<T> {
    const taken = Math.min(weight, this.options.capacity);
    await this.turn(key, taken);
    try {
      return await work();
    } finally {
      this.end(key, taken);
    }
  }

  waitingOf(key: string): number {
    return this.waiting.get(key)?.length ?? 0;
  }

  private turn(key: string, weight: number): Promise<void> {
    const queue = this.waiting.get(key) ?? [];
    if (queue.length === 0 && this.waiting.size === 0 && this.fits(key, weight)) {
      this.begin(key, weight);
      return Promise.resolve();
    }
    if (queue.length >= this.options.waitingOfKey) return Promise.reject(new TooManyWaiting());
    return new Promise((start) => {
      queue.push({ weight, start });
      this.waiting.set(key, queue);
      this.startWaiting();
    });
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
    if (left <= 0 && !this.waiting.has(key)) this.lastTurns.delete(key);
    this.startWaiting();
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
    const mayBegin = [...this.waiting.keys()].filter((key) => this.mayHold(key, this.weightOf(key)));
    const [longest] = mayBegin;
    const fairest = mayBegin.sort((a, b) => this.holds(a) - this.holds(b) || this.lastTurnOf(a) - this.lastTurnOf(b));
    const candidates = this.overtaken < OVERTAKEN_MAX || longest === undefined ? fairest : [longest];
    const next = candidates.find((key) => this.weightOf(key) <= this.free);
    if (next !== undefined) this.overtaken = next === longest ? 0 : this.overtaken + 1;
    return next;
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
