/** A holder of places. A share of 1 lets a holder have as many places as are free, a share of 2 twice as many. */
export interface Holder {
  readonly name: string;
  readonly share: number;
}

/**
 * A limited number of places. No holder can take all of them. What a holder may have depends on what is free: one with a share of 1 gets half
 * of the places of an idle system, a second one a third, and there is always one left for the next. Several holders of one place, such as
 * a key and its project, all count.
 */
export class Places {
  private readonly takenBy = new Map<string, number>();
  private taken = 0;

  constructor(private readonly max: number) {}

  get inUse(): number {
    return this.taken;
  }

  get free(): number {
    return this.max - this.taken;
  }

  hasRoom(holders: readonly Holder[], count = 1): boolean {
    const { free } = this;
    return free >= Math.min(count, this.max) && holders.every(({ name, share }) => (this.takenBy.get(name) ?? 0) < share * free);
  }

  /** How many this holder may take now, if no other holder takes one meanwhile. */
  roomOf({ name, share }: Holder): number {
    const { free } = this;
    const room = Math.ceil((share * free - (this.takenBy.get(name) ?? 0)) / (1 + share));
    return Math.max(0, Math.min(room, free));
  }

  /** False if there is no room. */
  take(holders: readonly Holder[], count = 1): boolean {
    if (!this.hasRoom(holders, count)) return false;
    this.taken += count;
    for (const { name } of holders) this.takenBy.set(name, (this.takenBy.get(name) ?? 0) + count);
    return true;
  }

  leave(holders: readonly Holder[], count = 1): void {
    this.taken -= count;
    for (const { name } of holders) {
      const left = (this.takenBy.get(name) ?? 0) - count;
      if (left > 0) this.takenBy.set(name, left);
      else this.takenBy.delete(name);
    }
  }
}
