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

/** How often light work of other keys may overtake work that needs more room than is free. */
const OVERTAKEN_MAX = 64;

/**
 * Runs work in turns. The next turn goes to the waiting key that holds the least; among equals, to the one that had its last turn first. The
 * work of one key runs in order. So a key that has much waiting delays its own work, and another key waits for at most one turn.
 */
export class FairTurns {
  private free: number;
  private readonly held = new Map<string, number>();
  /** In the order of the last turns: a key that gets a turn moves to the end. */
  private readonly waiting = new Map<string, Waiting[]>();
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
    this.held.set(key, this.holds(key) + weight);
  }

  private end(key: string, weight: number): void {
    this.free += weight;
    const left = this.holds(key) - weight;
    if (left > 0) this.held.set(key, left);
    else this.held.delete(key);
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
    const inOrder = [...this.waiting.keys()]
      .filter((key) => this.mayHold(key, this.weightOf(key)))
      .sort((a, b) => this.holds(a) - this.holds(b));
    const [first] = inOrder;
    if (first === undefined) return undefined;
    if (this.weightOf(first) <= this.free) {
      this.overtaken = 0;
      return first;
    }
    if (this.overtaken >= OVERTAKEN_MAX) return undefined;
    const lighter = inOrder.find((key) => this.weightOf(key) <= this.free);
    if (lighter !== undefined) this.overtaken += 1;
    return lighter;
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
