import type { ModelFolder } from '../models/repository';
import type { ModelWorker } from './model-worker';

/** A refused version is tried again: its files may still be uploading, or the machine was too busy for its proof. */
const FIRST_RETRY_MS = 15_000;
const SLOWEST_RETRY_MS = 300_000;
const never = new AbortController().signal;

interface Refused {
  readonly fingerprint: string;
  readonly times: number;
  readonly untilMs: number;
}

/** Serves one operation: the current worker, and for a while the one that it replaced. */
export class ModelSlot {
  private current: ModelWorker | undefined;
  private readonly users = new Map<ModelWorker, number>();
  private readonly whenUnused = new Map<ModelWorker, () => void>();
  private readonly leaving = new Map<ModelWorker, Promise<void>>();
  private refused: Refused | undefined;
  private newest: string | undefined;
  private aloneWorker: ModelWorker | undefined;
  /** The last worker whose refusal is counted. */
  private counted: ModelWorker | undefined;

  constructor(private readonly workerFor: (model: ModelFolder, alone: boolean) => ModelWorker) {}

  get worker(): ModelWorker | undefined {
    return this.current;
  }

  /** Every worker with a process. */
  get workers(): ModelWorker[] {
    return [this.current, this.aloneWorker, ...this.leaving.keys()].filter((worker) => worker !== undefined);
  }

  /** Whether the repository's version is refused, so that none or an older one is served. A version that is tried again stays refused until it is ready. */
  get refusesNewest(): boolean {
    const { current, newest, refused } = this;
    if (current?.state.kind === 'refused') return true;
    const isServed = current?.model.fingerprint === newest && current?.state.kind === 'ready';
    return refused !== undefined && refused.fingerprint === newest && !isServed;
  }

  /** Milliseconds until a refused version is tried again. */
  get retryInMs(): number {
    return Math.max(0, Math.round((this.refused?.untilMs ?? 0) - performance.now()));
  }

  async install(model: ModelFolder, renew: boolean): Promise<'first' | 'known' | 'taken' | 'refused'> {
    const { current } = this;
    this.newest = model.fingerprint;
    if (current?.state.kind === 'refused') this.refuse(current.model.fingerprint, current);
    const isSame = current?.model.fingerprint === model.fingerprint;
    if (isSame && current.state.kind !== 'refused' && !(renew && current.state.kind === 'ready')) return 'known';
    if (this.refused?.fingerprint === model.fingerprint && this.retryInMs > 0) return 'known';
    const next = this.workerFor(model, false);
    next.start();
    if (!current || current.state.kind === 'refused') {
      this.replaceWith(next);
      return 'first';
    }
    try {
      await next.whenReady(never);
    } catch {
      this.refuse(model.fingerprint, next);
      this.retire(next);
      return 'refused';
    }
    this.replaceWith(next);
    return 'taken';
  }

  /** Each refusal of a version doubles the time until it is tried again. */
  private refuse(fingerprint: string, worker: ModelWorker): void {
    if (this.counted === worker) return;
    this.counted = worker;
    const times = this.refused?.fingerprint === fingerprint ? this.refused.times + 1 : 1;
    const waitMs = Math.min(SLOWEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (times - 1));
    this.refused = { fingerprint, times, untilMs: performance.now() + waitMs };
  }

  /** Runs `work` with a worker of its own, which ends after it. There is one at a time. `begins` is called before the worker is ready. */
  async useAlone<T>(signal: AbortSignal, work: (worker: ModelWorker) => Promise<T>, begins: () => void): Promise<T | 'busy'> {
    if (this.aloneWorker) return 'busy';
    if (!this.current) throw new Error('no model is loaded');
    const worker = (this.aloneWorker = this.workerFor(this.current.model, true));
    try {
      begins();
      worker.start();
      await worker.whenReady(signal);
      return await work(worker);
    } finally {
      await worker.stop().finally(() => (this.aloneWorker = undefined));
    }
  }

  async use<T>(signal: AbortSignal, work: (worker: ModelWorker) => Promise<T>): Promise<T> {
    const worker = this.current;
    if (!worker) throw new Error('no model is loaded');
    this.count(worker, 1);
    try {
      await worker.whenReady(signal);
      return await work(worker);
    } finally {
      this.count(worker, -1);
    }
  }

  /** Its model serves nothing new and ends after its last use. */
  clear(): void {
    if (this.current) this.retire(this.current);
    this.current = undefined;
    this.newest = undefined;
  }

  async stop(): Promise<void> {
    this.clear();
    await Promise.all(this.leaving.values());
  }

  private replaceWith(next: ModelWorker): void {
    const before = this.current;
    this.current = next;
    if (before) this.retire(before);
  }

  /** Ends the worker after its last use. */
  private retire(worker: ModelWorker): void {
    const unused = new Promise<void>((resolve) => this.whenUnused.set(worker, resolve));
    const left = unused.then(() => worker.stop()).finally(() => this.leaving.delete(worker));
    this.leaving.set(worker, left);
    worker.abandon();
    this.count(worker, 0);
  }

  private count(worker: ModelWorker, change: number): void {
    const users = (this.users.get(worker) ?? 0) + change;
    this.users.set(worker, users);
    if (users > 0) return;
    this.users.delete(worker);
    this.whenUnused.get(worker)?.();
    this.whenUnused.delete(worker);
  }
}
