import { AsyncLocalStorage } from 'node:async_hooks';

interface Job {
  readonly id: number;
  servedMs: number;
  waitedMs: number;
  /** When it began to be served, or to wait. */
  sinceMs: number;
}

interface Waiting {
  readonly job: Job;
  wake(): void;
}

/** Waiting counts a little, so that a long job ends although short ones keep coming. */
const WAITING_SHARE = 0.2;
const rankOf = ({ servedMs, waitedMs, sinceMs }: Job, nowMs: number): number => servedMs - WAITING_SHARE * (waitedMs + nowMs - sinceMs);

/**
 * One job computes at a time. Between two steps it gives way to a job that was served less: an image that needs many passes holds up the
 * images behind it for one step only.
 */
export class Turns {
  private readonly waiting: Waiting[] = [];
  private running: Job | undefined;
  private readonly current = new AsyncLocalStorage<Job>();
  /** Called with the id of the job that computes from now on. */
  onTurn: (id: number) => void = () => undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The result, and the time for which the job computed. */
  async run<T>(id: number, work: () => Promise<T>): Promise<{ result: T; servedMs: number }> {
    const job: Job = { id, servedMs: 0, waitedMs: 0, sinceMs: this.now() };
    await this.turnOf(job);
    try {
      const result = await this.current.run(job, work);
      return { result, servedMs: job.servedMs + this.now() - job.sinceMs };
    } finally {
      this.running = undefined;
      this.next();
    }
  }

  /** A job calls this between its steps. Does nothing outside of a job. */
  async giveWay(): Promise<void> {
    const job = this.current.getStore();
    if (!job) return;
    const nowMs = this.now();
    job.servedMs += nowMs - job.sinceMs;
    job.sinceMs = nowMs;
    const least = this.leastServed();
    if (!least || rankOf(least.job, nowMs) >= rankOf(job, nowMs)) return;
    this.running = undefined;
    await this.turnOf(job);
  }

  private turnOf(job: Job): Promise<void> {
    return new Promise((wake) => {
      this.waiting.push({ job, wake });
      this.next();
    });
  }

  private next(): void {
    if (this.running) return;
    const least = this.leastServed();
    if (!least) return;
    this.waiting.splice(this.waiting.indexOf(least), 1);
    const nowMs = this.now();
    least.job.waitedMs += nowMs - least.job.sinceMs;
    least.job.sinceMs = nowMs;
    this.running = least.job;
    this.onTurn(least.job.id);
    least.wake();
  }

  /** The job that waits first among equals is next. */
  private leastServed(): Waiting | undefined {
    const nowMs = this.now();
    return this.waiting.reduce<Waiting | undefined>(
      (least, one) => (least && rankOf(least.job, nowMs) <= rankOf(one.job, nowMs) ? least : one),
      undefined,
    );
  }
}

/** The turns of all jobs in this process. */
export const turns = new Turns();
