/** Repeats a turn. A turn returns after how many milliseconds the next one begins; a nudge begins it at once. */
export class RepeatedTask {
  private stopped = false;
  private nudged = false;
  private wake: () => void = () => undefined;
  private running: Promise<void> | undefined;

  /** `take` must not throw. */
  constructor(private readonly take: () => Promise<number>) {}

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
