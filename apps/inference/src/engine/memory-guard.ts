import { logger } from '@tire/platform';

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
  private timer: NodeJS.Timeout | undefined;
  private renewedMs: number | undefined;
  private busy = false;

  constructor(
    private readonly ceilingMib: number,
    private readonly renew: () => Promise<void>,
    /** Memory of the model processes. */
    private readonly modelsMib: () => number,
    private readonly end: () => void = () => process.kill(process.pid, 'SIGTERM'),
    private readonly residentMib: () => number = () => process.memoryUsage.rss() / MIB,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.check(performance.now()), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async check(nowMs: number): Promise<void> {
    const residentMib = Math.round(this.residentMib() + this.modelsMib());
    if (this.busy) return;
    if (residentMib <= this.ceilingMib) {
      if (this.renewedMs !== undefined && nowMs - this.renewedMs > SETTLED_AFTER_MS) this.renewedMs = undefined;
      return;
    }
    if (this.renewedMs === undefined) return this.renewProcesses(residentMib, nowMs);
    if (nowMs - this.renewedMs < SETTLED_AFTER_MS) return;
    this.log.error({ resident_mib: residentMib, ceiling_mib: this.ceilingMib }, 'above the memory ceiling with fresh processes: draining');
    this.stop();
    this.end();
  }

  private async renewProcesses(residentMib: number, nowMs: number): Promise<void> {
    this.log.warn({ resident_mib: residentMib, ceiling_mib: this.ceilingMib }, 'above the memory ceiling: the model processes are renewed');
    this.busy = true;
    this.renewedMs = nowMs;
    await this.renew().finally(() => (this.busy = false));
  }
}
