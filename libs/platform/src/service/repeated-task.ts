import type { Logger } from '../logs/logger';

/** Repeats a turn. A turn returns after how many milliseconds the next one begins; a nudge begins it at once. */
export class RepeatedTask {
  private stopped = false;
  private nudged = false;
  private wake: () => void = () => undefined;
  private running: Promise<void> | undefined;

  /** `take` must not throw. */
  constructor(
    private readonly take: () => Promise<number>,
    private readonly firstAfterMs = 0,
  ) {}

  get isStopped(): boolean {
    return this.stopped;
  }

  start(): void {
    this.running ??= this.run();
  }

  nudge(): void {
    this.nudged = true;
    this.wake();
  }

  /** Waits for the current turn. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    if (this.firstAfterMs > 0) await this.nudgeOrPause(this.firstAfterMs);
    while (!this.stopped) {
      this.nudged = false;
      const pauseMs = await this.take();
      if (pauseMs > 0 && !this.nudged) await this.nudgeOrPause(pauseMs);
    }
  }

  private nudgeOrPause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const pause = setTimeout(resolve, pauseMs);
      this.wake = () => {
        clearTimeout(pause);
        resolve();
      };
      if (this.stopped) this.wake();
    });
  }
}

/** Work at an interval, first after one interval. A run that fails is retried at the next one. */
export function periodicTask(intervalMs: number, work: () => Promise<unknown>, log: Pick<Logger, 'warn'>): RepeatedTask {
  return new RepeatedTask(async () => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, 'A periodic run failed. The next one retries it.');
    }
    return intervalMs;
  }, intervalMs);
}
