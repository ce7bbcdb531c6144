import type { HandedImage } from '../imaging/handed-image';
import type { Analysis } from '../models/outcome';

/** broken: the process of the model ended while it worked on the image. */
export const REFUSALS = ['queue_full', 'broken'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** The job was not done, for no fault of the image: the same worker later, or another one, may do it. */
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
}

export interface Job {
  readonly image: HandedImage;
  readonly project: string;
  resolve(analysis: Analysis): void;
  reject(error: Error): void;
}

/** Jobs that the model's process has not started. The queue is bounded; a rejected caller gets the reason. */
export class JobQueue {
  private waiting: Job[] = [];

  constructor(
    private readonly limits: QueueLimits,
    private readonly onRefusal: (reason: Refusal) => void,
  ) {}

  get length(): number {
    return this.waiting.length;
  }

  add(image: HandedImage, project: string): Promise<Analysis> {
    const { maxWaiting } = this.limits;
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= maxWaiting) return reject(this.refused('queue_full', `${maxWaiting} images wait already`));
      this.waiting.push({ image, project, resolve, reject });
    });
  }

  /** The jobs of the next batch: the oldest one, and others with the same image size, since a batch has one size. */
  take(most: number): Job[] {
    const [first] = this.waiting;
    if (!first) return [];
    const same = ({ image }: Job) => image.width === first.image.width && image.height === first.image.height;
    const taken = new Set(this.waiting.filter(same).slice(0, most));
    this.waiting = this.waiting.filter((job) => !taken.has(job));
    return [...taken];
  }

  /** Rejects all waiting jobs after the process has ended; returns their number. */
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
