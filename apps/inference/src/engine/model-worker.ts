import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { decodePicture, type DecodeLimits, type Picture } from '../imaging/decode';
import type { Provider } from '../models/network';
import { figuresOf, type Analysis } from '../models/outcome';
import { ModelFault, type ModelFolder } from '../models/repository';
import { STOP, type FromThread, type Job, type ThreadData } from './protocol';

/** The thread went away under a job: the same job may be done by the next thread. */
export class ThreadLost extends Error {}

export type WorkerState =
  { readonly kind: 'starting' } | { readonly kind: 'ready' } | { readonly kind: 'refused'; readonly reason: string };

interface Pending {
  resolve(analysis: Analysis): void;
  reject(error: Error): void;
}

const FIRST_RESTART_MS = 100;
const SLOWEST_RESTART_MS = 5_000;

export const decodeLimits = ({ manifest: { input } }: ModelFolder): DecodeLimits => ({
  longSidePx: input.long_side_px,
  minShortSidePx: input.min_short_side_px,
  maxPixels: input.max_pixels,
});

// In the source tree (tests, commands) the thread compiles TypeScript as it loads it; built code needs nothing.
const entry = extname(__filename) === '.ts' ? join(__dirname, '../../typescript-hook.cjs') : join(__dirname, 'thread.js');
const entryArguments = extname(__filename) === '.ts' ? [join(__dirname, 'thread.ts')] : [];

/** One model in one thread: ready once its golden image gives the manifest's numbers, replaced when it dies. */
export class ModelWorker {
  private thread: Worker | undefined;
  private pending = new Map<number, Pending>();
  private lastId = 0;
  private crashes = 0;
  private stopping = false;
  private restart: NodeJS.Timeout | undefined;
  private waiting: (() => void)[] = [];
  state: WorkerState = { kind: 'starting' };

  constructor(
    readonly model: ModelFolder,
    private readonly providers: readonly Provider[],
    private readonly report: (event: 'ready' | 'refused' | 'lost', detail: string) => void,
  ) {}

  start(): void {
    this.state = { kind: 'starting' };
    const workerData: ThreadData = { model: this.model, providers: this.providers };
    const thread = new Worker(entry, { workerData, argv: entryArguments, name: this.model.manifest.name });
    this.thread = thread;
    thread.on('message', (message: FromThread) => this.hear(message));
    thread.on('error', (error) => this.report('lost', error.message));
    thread.on('exit', (code) => this.lost(thread, code));
  }

  /** Resolves when the model can be used, now or after a restart; rejects when the signal gives up or the model is refused. */
  async whenReady(signal: AbortSignal): Promise<void> {
    while (this.state.kind === 'starting') {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    if (this.state.kind === 'refused') throw new ModelFault(this.model.folder, this.state.reason);
  }

  analyze(picture: Picture): Promise<Analysis> {
    const { thread } = this;
    if (!thread) return Promise.reject(new ThreadLost('the model thread is being replaced'));
    const job: Job = { id: ++this.lastId, picture };
    return new Promise((resolve, reject) => {
      this.pending.set(job.id, { resolve, reject });
      thread.postMessage(job);
    });
  }

  /** Asked to end, never terminated: onnxruntime aborts the whole process when its thread goes away in the middle of a run. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    const { thread } = this;
    if (!thread) return;
    const ended = once(thread, 'exit');
    thread.postMessage(STOP);
    await ended;
  }

  private hear(message: FromThread): void {
    if (message.kind === 'loaded') void this.proveGolden();
    else if (message.kind === 'refused') this.refuse(message.reason);
    else {
      const job = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (message.kind === 'done') job?.resolve(message.analysis);
      else job?.reject(new Error(message.reason));
    }
  }

  /** Warms the sessions, too: the first run allocates what later runs reuse. */
  private async proveGolden(): Promise<void> {
    const { golden } = this.model.manifest;
    try {
      const picture = await decodePicture(await readFile(join(this.model.folder, golden.image)), decodeLimits(this.model));
      const figures = figuresOf((await this.analyze(picture)).outcome);
      const off = Object.entries(golden.expected).filter(
        ([name, expected]) => !(Math.abs((figures[name] ?? NaN) - expected) <= golden.tolerance),
      );
      if (off.length > 0)
        return this.refuse(`golden image: ${off.map(([name, expected]) => `${name} is ${figures[name]}, not ${expected}`).join('; ')}`);
      this.crashes = 0;
      this.settle({ kind: 'ready' });
      this.report('ready', this.model.manifest.version);
    } catch (error) {
      if (!(error instanceof ThreadLost)) this.refuse(error instanceof Error ? error.message : String(error));
    }
  }

  private refuse(reason: string): void {
    this.settle({ kind: 'refused', reason });
    this.report('refused', reason);
  }

  private settle(state: WorkerState): void {
    this.state = state;
    const waiting = this.waiting;
    this.waiting = [];
    waiting.forEach((wake) => wake());
  }

  private lost(thread: Worker, code: number): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    const jobs = [...this.pending.values()];
    this.pending.clear();
    jobs.forEach(({ reject }) => reject(new ThreadLost(`the model thread ended with code ${code}`)));
    if (this.stopping || this.state.kind === 'refused') return;
    this.settle({ kind: 'starting' });
    this.report('lost', `ended with code ${code}, ${jobs.length} jobs given back`);
    this.restart = setTimeout(() => this.start(), Math.min(SLOWEST_RESTART_MS, FIRST_RESTART_MS * 2 ** this.crashes++));
  }
}
