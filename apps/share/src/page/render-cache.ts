import { LRUCache } from 'lru-cache';

export interface Rendered<T> {
  readonly value: T;
  readonly bytes: number;
  /** On the clock of the cache. 0 for a value that answers the requests that wait for it, but no later one. */
  readonly untilMs: number;
}

interface Entry<T> {
  readonly rendered: Rendered<T>;
  readonly expiry: NodeJS.Timeout;
}

/** The longest delay of a timer in Node. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Values that are made once for all requests that arrive while they are made or are valid. The least recently used ones go when the cache
 * is full. An expired value leaves memory even if no request needs it.
 */
export class RenderCache<T> {
  private readonly entries: LRUCache<string, Entry<T>>;
  private readonly pending = new Map<string, Promise<T>>();

  constructor(
    bytesMax: number,
    private readonly nowMs: () => number,
  ) {
    this.entries = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: ({ rendered }) => rendered.bytes,
      dispose: ({ expiry }) => clearTimeout(expiry),
    });
  }

  get(key: string, make: () => Promise<Rendered<T>>): Promise<T> {
    const entry = this.entries.get(key);
    if (entry && entry.rendered.untilMs > this.nowMs()) return Promise.resolve(entry.rendered.value);
    return this.pending.get(key) ?? this.make(key, make);
  }

  private make(key: string, make: () => Promise<Rendered<T>>): Promise<T> {
    const making = make()
      .then((rendered) => {
        const leftMs = rendered.untilMs - this.nowMs();
        if (leftMs > 0) this.entries.set(key, { rendered, expiry: this.removeAfter(key, leftMs) });
        else this.entries.delete(key);
        return rendered.value;
      })
      .finally(() => this.pending.delete(key));
    this.pending.set(key, making);
    return making;
  }

  /** Once, and by elapsed time: the cache's own expiry timer restarts at once, without end, if the clock is set back by more than 25 days. */
  private removeAfter(key: string, leftMs: number): NodeJS.Timeout {
    return setTimeout(() => this.entries.delete(key), Math.min(leftMs, TIMER_MS_MAX)).unref();
  }
}
