/** The waiting items by group. Groups take turns; within a group the order is that of arrival. */
export class FairQueue<T> {
  /** The queues in the order of their turns. No queue is empty. */
  private readonly queues = new Map<string, T[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  sizeOf(group: string): number {
    return this.queues.get(group)?.length ?? 0;
  }

  push(group: string, item: T): void {
    const queue = this.queues.get(group);
    if (queue) queue.push(item);
    else this.queues.set(group, [item]);
    this.count += 1;
  }

  /** Returns items to the front of their groups, in the order in which they were taken. */
  putBack(items: readonly (readonly [group: string, item: T])[]): void {
    for (const [group, item] of items.toReversed()) {
      const queue = this.queues.get(group);
      if (queue) queue.unshift(item);
      else this.queues.set(group, [item]);
      this.count += 1;
    }
  }

  /** The group that is served next. */
  get next(): string | undefined {
    const [group] = this.queues.keys();
    return group;
  }

  /** One of each group in turn, until there are as many as wanted. The group that is next then begins the next time. */
  take(wanted: number, joins: (group: string) => boolean = () => true): T[] {
    const taken: T[] = [];
    const groups = [...this.queues.keys()].filter(joins);
    for (let group = groups.shift(); group !== undefined && taken.length < wanted; group = groups.shift()) {
      taken.push(...this.takeOf(group, 1));
      if (this.queues.has(group)) groups.push(group);
    }
    return taken;
  }

  /** Takes up to `wanted` items of one group. Its next turn comes after those of the others. */
  takeOf(group: string, wanted: number): T[] {
    const queue = this.queues.get(group) ?? [];
    const taken = queue.splice(0, wanted);
    this.queues.delete(group);
    if (queue.length > 0) this.queues.set(group, queue);
    this.count -= taken.length;
    return taken;
  }

  /** Does nothing if it was taken already. */
  remove(group: string, item: T): void {
    const queue = this.queues.get(group);
    const position = queue?.indexOf(item) ?? -1;
    if (!queue || position < 0) return;
    queue.splice(position, 1);
    if (queue.length === 0) this.queues.delete(group);
    this.count -= 1;
  }
}
