import type { DomainError } from '@tire/kernel';

interface TurnOptions {
  /** Of each key. */
  readonly atOnce: number;
  readonly waitMs: number;
  /** After that time. */
  readonly refusal: () => DomainError;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Runs a limited number of pieces of work of one key at once in this process, in the order of arrival. What waits holds no connection of
 * the pool, and other keys do not wait for it.
 */
export class Turns {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly options: TurnOptions) {}

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lineOf(key);
    if (line.running < this.options.atOnce) line.running += 1;
    else await this.turnIn(line);
    try {
      return await work();
    } finally {
      this.pass(key, line);
    }
  }

  private lineOf(key: string): Line {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    return line;
  }

  private turnIn({ waiting }: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(expiry);
        resolve();
      };
      const expiry = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(this.options.refusal());
      }, this.options.waitMs);
      waiting.push(begin);
    });
  }

  /** The place goes to the next one directly, so that nobody who arrives in between takes it. */
  private pass(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) return next();
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }
}
