import { LRUCache } from 'lru-cache';

export interface Rendered<T> {
  readonly value: T;
  readonly bytes: number;
  /** On the clock of the cache. 0 for a value that answers the requests that wait for it, but no later one. */
  readonly untilMs: number;
}

/**
 * Values that are made once for all requests that arrive while they are made or are valid. The least recently used ones go when the cache
 * is full. A value whose time is over leaves memory even if nobody requests it.
 */
export class RenderCache<T> {
  private readonly rendered: LRUCache<string, Rendered<T>>;
  private readonly pending = new Map<string, Promise<T>>();

  constructor(
    bytesMax: number,
    private readonly nowMs: () => number,
  ) {
    this.rendered = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: ({ bytes }) => bytes,
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now: nowMs },
    });
  }

  get(key: string, make: () => Promise<Rendered<T>>): Promise<T> {
    const entry = this.rendered.get(key);
    if (entry && entry.untilMs > this.nowMs()) return Promise.resolve(entry.value);
    return this.pending.get(key) ?? this.make(key, make);
  }

  private make(key: string, make: () => Promise<Rendered<T>>): Promise<T> {
    const making = make()
      .then((rendered) => {
        const ttl = rendered.untilMs - this.nowMs();
        if (ttl > 0) this.rendered.set(key, rendered, { ttl });
        else this.rendered.delete(key);
        return rendered.value;
      })
      .finally(() => this.pending.delete(key));
    this.pending.set(key, making);
    return making;
  }
}
