import type { Logger } from '../logs/logger';

/** Repeats work at an interval, one run after the other. A run that fails is retried at the next interval. */
export class Repeating {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly intervalMs: number,
    private readonly work: () => Promise<unknown>,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.work()
        .then(
          () => undefined,
          (error: unknown) => this.log.warn({ err: error }, 'a run failed; it is retried'),
        )
        .finally(() => this.start());
    }, this.intervalMs);
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
