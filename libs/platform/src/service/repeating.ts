import type { Logger } from '../logs/logger';

/** Work that is done again and again, one run after the other; a run that fails is tried again at the next turn. */
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
          (error: unknown) => this.log.warn({ err: error }, 'a turn failed; it is tried again'),
        )
        .finally(() => this.start());
    }, this.intervalMs);
  }

  /** Waits for the run in hand. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
