export interface Made<T> {
  readonly value: T;
  readonly bytes: number;
  /** On the clock of those who keep it. 0 for what is good enough for those who wait for it, and should be made anew for the next. */
  readonly untilMs: number;
}

interface Entry<T> extends Made<T> {
  readonly timer: NodeJS.Timeout;
}

/**
 * Values that are made once for all who ask meanwhile or soon after, up to a number of bytes: those asked for last stay. When their
 * time is over they are gone, whether anybody asks or not.
 */
export class Kept<T> {
  private readonly entries = new Map<string, Entry<T>>();
  private readonly beingMade = new Map<string, Promise<T>>();
  private bytes = 0;

  constructor(
    private readonly bytesMax: number,
    private readonly nowMs: () => number,
  ) {}

  get(key: string, make: () => Promise<Made<T>>): Promise<T> {
    const entry = this.entries.get(key);
    if (!entry || entry.untilMs <= this.nowMs()) return this.beingMade.get(key) ?? this.make(key, make);
    // A Map keeps the order of insertion: put last, so that the first is the one that was not asked for the longest time.
    this.entries.delete(key);
    this.entries.set(key, entry);
    return Promise.resolve(entry.value);
  }

  private make(key: string, make: () => Promise<Made<T>>): Promise<T> {
    const making = make()
      .then((made) => {
        this.drop(key);
        this.keep(key, made);
        return made.value;
      })
      .finally(() => this.beingMade.delete(key));
    this.beingMade.set(key, making);
    return making;
  }

  private keep(key: string, made: Made<T>): void {
    const leftMs = made.untilMs - this.nowMs();
    if (leftMs <= 0) return;
    this.entries.set(key, { ...made, timer: setTimeout(() => this.drop(key), leftMs).unref() });
    this.bytes += made.bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.bytesMax) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    clearTimeout(entry.timer);
    this.bytes -= entry.bytes;
    this.entries.delete(key);
  }
}
