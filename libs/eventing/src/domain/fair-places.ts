/**
 * Lets a bounded number of calls run at once. A free place goes to the key that holds the fewest places; among these, to the key that has
 * waited longest for its turn.
 */
export class FairPlaces {
  private readonly holding = new Map<string, number>();
  /** In the order of turns: a key that got a place goes to the end. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private free: number) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.enter(key);
    try {
      return await work();
    } finally {
      this.leave(key);
    }
  }

  private enter(key: string): Promise<void> | void {
    if (this.free > 0) return this.hold(key);
    return new Promise((resolve) => {
      const others = this.waiting.get(key);
      if (others) others.push(resolve);
      else this.waiting.set(key, [resolve]);
    });
  }

  private hold(key: string): void {
    this.free -= 1;
    this.holding.set(key, this.held(key) + 1);
  }

  private leave(key: string): void {
    this.free += 1;
    if (this.held(key) > 1) this.holding.set(key, this.held(key) - 1);
    else this.holding.delete(key);
    const next = this.next();
    if (next === undefined) return;
    const [admit, ...others] = this.waiting.get(next)!;
    this.waiting.delete(next);
    if (others.length > 0) this.waiting.set(next, others);
    this.hold(next);
    admit!();
  }

  private next(): string | undefined {
    let best: string | undefined;
    for (const key of this.waiting.keys()) if (best === undefined || this.held(key) < this.held(best)) best = key;
    return best;
  }

  private held(key: string): number {
    return this.holding.get(key) ?? 0;
  }
}
