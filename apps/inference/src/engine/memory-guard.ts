import { logger, periodicTask } from '@tire/platform';

const MIB = 1024 * 1024;
const LOOK_EVERY_MS = 5_000;
/** The memory of old processes is free when they have ended. This is longer than an image takes that is in work. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Replaces a worker that exceeds its memory ceiling without losing an image: first its model processes; where that frees nothing, the process
 * drains and ends, and its orchestrator starts another.
 */
export class MemoryGuard {
  private readonly log = logger('memory');
  private readonly looks = periodicTask(LOOK_EVERY_MS, () => this.check(performance.now()), this.log);
  private renewedMs: number | undefined;

  constructor(
    private readonly ceilingMib: number,
    private readonly renew: () => Promise<void>,
    /** Memory of the model processes. */
    private readonly modelsMib: () => number,
    private readonly end: () => void = () => process.kill(process.pid, 'SIGTERM'),
    private readonly residentMib: () => number = () => process.memoryUsage.rss() / MIB,
  ) {}

  start(): void {
    this.looks.start();
  }

  stop(): Promise<void> {
    return this.looks.stop();
  }

  async check(nowMs: number): Promise<void> {
    const residentMib = Math.round(this.residentMib() + this.modelsMib());
    if (residentMib <= this.ceilingMib) {
      if (this.renewedMs !== undefined && nowMs - this.renewedMs > SETTLED_AFTER_MS) this.renewedMs = undefined;
      return;
    }
    if (this.renewedMs === undefined) return this.renewProcesses(residentMib, nowMs);
    if (nowMs - this.renewedMs < SETTLED_AFTER_MS) return;
    this.log.error(
      { resident_mib: residentMib, ceiling_mib: this.ceilingMib },
      'Memory is above the ceiling with fresh processes; the process drains',
    );
    void this.stop();
    this.end();
  }

  private async renewProcesses(residentMib: number, nowMs: number): Promise<void> {
    this.log.warn(
      { resident_mib: residentMib, ceiling_mib: this.ceilingMib },
      'Memory is above the ceiling; the model processes are renewed',
    );
    this.renewedMs = nowMs;
    await this.renew();
  }
}
