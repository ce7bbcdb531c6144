import type { ModelFolder } from '../models/repository';
import type { ModelWorker } from './model-worker';

/** A refused version is not tried again for this long, since its files may still be uploading. */
const TRY_AGAIN_MS = 60_000;
const never = new AbortController().signal;

/** Serves one operation: the current worker, and for a while the one that it replaced. */
export class ModelSlot {
  private current: ModelWorker | undefined;
  private readonly users = new Map<ModelWorker, number>();
  private readonly whenUnused = new Map<ModelWorker, () => void>();
  private readonly leaving = new Map<ModelWorker, Promise<void>>();
  private refused: { fingerprint: string; untilMs: number } | undefined;

  constructor(private readonly workerFor: (model: ModelFolder) => ModelWorker) {}

  get worker(): ModelWorker | undefined {
    return this.current;
  }

  async install(model: ModelFolder, renew: boolean): Promise<'first' | 'known' | 'taken' | 'refused'> {
    const { current, refused } = this;
    if (current?.model.fingerprint === model.fingerprint && !(renew && current.state.kind === 'ready')) return 'known';
    if (refused?.fingerprint === model.fingerprint && performance.now() < refused.untilMs) return 'known';
    const next = this.workerFor(model);
    next.start();
    if (!current || current.state.kind === 'refused') {
      this.replaceWith(next);
      return 'first';
    }
    try {
      await next.whenReady(never);
    } catch {
      this.refused = { fingerprint: model.fingerprint, untilMs: performance.now() + TRY_AGAIN_MS };
      this.retire(next);
      return 'refused';
    }
    this.replaceWith(next);
    return 'taken';
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

  async stop(): Promise<void> {
    if (this.current) this.retire(this.current);
    this.current = undefined;
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
