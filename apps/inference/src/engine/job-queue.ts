import type { RgbImage } from '../imaging/decode';
import type { Analysis } from '../models/outcome';

export const REFUSALS = ['queue_full', 'deadline'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Not done here and now, through no fault of the photograph: another worker, or this one later, may do it. */
export class JobRefused extends Error {
  override name = 'JobRefused';

  constructor(
    readonly reason: Refusal,
    detail: string,
  ) {
    super(`${reason}: ${detail}`);
  }
}

export interface QueueLimits {
  readonly maxWaiting: number;
  /** From the moment of asking to the answer. */
  readonly deadlineMs: number;
}

export interface Job {
  readonly image: RgbImage;
  resolve(analysis: Analysis): void;
  reject(error: Error): void;
}

/** Jobs that the model's thread has not begun. Bounded, and no job waits for ever: whoever asked is told why instead. */
export class JobQueue {
  private waiting: Job[] = [];

  constructor(
    private readonly limits: QueueLimits,
    private readonly onRefusal: (reason: Refusal) => void,
  ) {}

  get length(): number {
    return this.waiting.length;
  }

  add(image: RgbImage): Promise<Analysis> {
    const { maxWaiting, deadlineMs } = this.limits;
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= maxWaiting) return reject(this.refused('queue_full', `${maxWaiting} photographs wait already`));
      const deadline = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== job);
        reject(this.refused('deadline', `no answer within ${deadlineMs} ms`));
      }, deadlineMs);
      const settled =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(deadline);
          then(value);
        };
      const job: Job = { image, resolve: settled(resolve), reject: settled(reject) };
      this.waiting.push(job);
    });
  }

  /** The jobs of the next run: the one that waits longest, and others of its size, since one run has images of one size. */
  take(most: number): Job[] {
    const [first] = this.waiting;
    if (!first) return [];
    const same = ({ image }: Job) => image.width === first.image.width && image.height === first.image.height;
    const taken = new Set(this.waiting.filter(same).slice(0, most));
    this.waiting = this.waiting.filter((job) => !taken.has(job));
    return [...taken];
  }

  /** The thread is gone: whoever asked asks again, or another worker. */
  clear(error: Error): number {
    const jobs = this.waiting;
    this.waiting = [];
    jobs.forEach((job) => job.reject(error));
    return jobs.length;
  }

  private refused(reason: Refusal, detail: string): JobRefused {
    this.onRefusal(reason);
    return new JobRefused(reason, detail);
  }
}
