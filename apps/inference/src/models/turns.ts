import { LRUCache } from 'lru-cache';
import { AsyncLocalStorage } from 'node:async_hooks';

interface Job {
  readonly id: number;
  /** The project of each image. */
  readonly projects: readonly string[];
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
/** What a project was served counts half after this time. */
const HALF_LIFE_MS = 10_000;
const REMEMBERED_PROJECTS = 1_000;

/** The time for which each project was served lately. */
class RecentService {
  private readonly served = new LRUCache<string, { readonly ms: number; readonly atMs: number }>({ max: REMEMBERED_PROJECTS });

  of(projects: readonly string[], nowMs: number): number {
    return projects.reduce((sum, project) => sum + this.ofOne(project, nowMs), 0) / projects.length;
  }

  add(projects: readonly string[], ms: number, nowMs: number): void {
    for (const project of projects) this.served.set(project, { ms: this.ofOne(project, nowMs) + ms / projects.length, atMs: nowMs });
  }

  private ofOne(project: string, nowMs: number): number {
    const last = this.served.get(project);
    return last ? last.ms * 0.5 ** ((nowMs - last.atMs) / HALF_LIFE_MS) : 0;
  }
}

/**
 * One job computes at a time. Between two steps it gives way to a job that was served less, itself and its project lately together. So an
 * image that needs many passes holds up the images behind it for one step only, and the images of a project that keeps the process busy
 * hold up those of others for one step only.
 */
export class Turns {
  private readonly waiting: Waiting[] = [];
  private running: Job | undefined;
  private readonly recent = new RecentService();
  private readonly current = new AsyncLocalStorage<Job>();
  /** Called with the id of the job that computes from now on. */
  onTurn: (id: number) => void = () => undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The result, and the time for which the job computed. */
  async run<T>({ id, projects }: Pick<Job, 'id' | 'projects'>, work: () => Promise<T>): Promise<{ result: T; servedMs: number }> {
    const job: Job = { id, projects, servedMs: 0, waitedMs: 0, sinceMs: this.now() };
    await this.turnOf(job);
    try {
      const result = await this.current.run(job, work).finally(() => this.count(job, this.now()));
      return { result, servedMs: job.servedMs };
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
    this.count(job, nowMs);
    const least = this.leastServed();
    if (!least || this.rankOf(least.job, nowMs) >= this.rankOf(job, nowMs)) return;
    this.running = undefined;
    await this.turnOf(job);
  }

  private count(job: Job, nowMs: number): void {
    const ms = nowMs - job.sinceMs;
    job.servedMs += ms;
    job.sinceMs = nowMs;
    this.recent.add(job.projects, ms, nowMs);
  }

  private rankOf({ projects, servedMs, waitedMs, sinceMs }: Job, nowMs: number): number {
    return servedMs + this.recent.of(projects, nowMs) - WAITING_SHARE * (waitedMs + nowMs - sinceMs);
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

  /** The job that was served least; among equals, the one that came first. */
  private leastServed(): Waiting | undefined {
    const nowMs = this.now();
    return this.waiting.reduce<Waiting | undefined>(
      (least, one) => (least && this.rankOf(least.job, nowMs) <= this.rankOf(one.job, nowMs) ? least : one),
      undefined,
    );
  }
}

/** The turns of all jobs in this process. */
export const turns = new Turns();
