import '../models/disable-telemetry';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DecodeLimits, RgbImage } from '../imaging/decode';
import type { Manifest } from '../models/manifest';
import type { Analysis } from '../models/outcome';
import type { Provider, ExecutionOptions } from '../models/providers';
import { ModelFault, type ModelFolder } from '../models/repository';
import { goldenFaults } from './golden';
import { JobQueue, type Job, type QueueLimits, type Refusal } from './job-queue';
import { STOP, type Batch, type FromThread, type ThreadData } from './protocol';

/** The thread ended during a job: the next thread may do the same job. */
export class ThreadLost extends Error {}

export type WorkerState =
  { readonly kind: 'starting' } | { readonly kind: 'ready' } | { readonly kind: 'refused'; readonly reason: string };

export interface WorkerOptions {
  readonly execution: ExecutionOptions;
  readonly queue: QueueLimits;
  report(event: 'ready' | 'refused' | 'lost', detail: string): void;
  batchSent(batchSize: number): void;
  rejected(reason: Refusal): void;
}

const FIRST_RESTART_MS = 100;
const SLOWEST_RESTART_MS = 5_000;
/** One batch runs and the next one is in the thread already, so that the thread never waits for the main thread. */
const BATCHES_IN_THREAD = 2;

export const decodeLimits = ({ manifest: { input } }: { manifest: Pick<Manifest, 'input'> }): DecodeLimits => ({
  longSidePx: input.long_side_px,
  minShortSidePx: input.min_short_side_px,
  maxPixels: input.max_pixels,
});

// In the source tree (tests, tools) the thread compiles TypeScript while loading; built code needs no hook.
const entry = extname(__filename) === '.ts' ? join(__dirname, '../../../../deploy/typescript-hook.cjs') : join(__dirname, 'thread.js');
const entryArguments = extname(__filename) === '.ts' ? [join(__dirname, 'thread.ts')] : [];

/** One model in one thread. It is ready once its golden image gives the manifest's figures, and restarts when its thread ends. */
export class ModelWorker {
  private thread: Worker | undefined;
  private readonly queue: JobQueue;
  private readonly inThread = new Map<number, { jobs: Job[]; sinceMs: number }>();
  private lastId = 0;
  private crashes = 0;
  private stopping = false;
  private restart: NodeJS.Timeout | undefined;
  private waiting: (() => void)[] = [];
  state: WorkerState = { kind: 'starting' };
  /** The execution providers in use, known once the model is loaded. */
  providers: readonly Provider[] = [];

  constructor(
    readonly model: ModelFolder,
    private readonly options: WorkerOptions,
  ) {
    this.queue = new JobQueue(options.queue, (reason) => options.rejected(reason));
  }

  get waitingJobs(): number {
    return this.queue.length;
  }

  /** A batch that runs longer than any deadline never ends: only a new process helps. */
  get stuck(): boolean {
    const [oldest] = this.inThread.values();
    return oldest !== undefined && performance.now() - oldest.sinceMs > this.options.queue.deadlineMs;
  }

  start(): void {
    this.state = { kind: 'starting' };
    const workerData: ThreadData = { model: this.model, execution: this.options.execution };
    const thread = new Worker(entry, { workerData, argv: entryArguments, name: this.model.manifest.name });
    this.thread = thread;
    thread.on('message', (message: FromThread) => this.onMessage(message));
    thread.on('error', (error) => this.options.report('lost', error.message));
    thread.on('exit', (code) => this.lost(thread, code));
  }

  /** Resolves when the model is usable, now or after a restart. Rejects when the signal aborts or the model is refused. */
  async whenReady(signal: AbortSignal): Promise<void> {
    while (this.state.kind === 'starting') {
      signal.throwIfAborted();
      let wake = () => undefined as void;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      this.waiting.push(wake);
      signal.addEventListener('abort', wake, { once: true });
      // A signal may outlive thousands of waits.
      await woken.finally(() => signal.removeEventListener('abort', wake));
    }
    if (this.state.kind === 'refused') throw new ModelFault(this.model.folder, this.state.reason);
  }

  analyze(image: RgbImage): Promise<Analysis> {
    if (!this.thread) return Promise.reject(new ThreadLost('the model thread is being replaced'));
    const answer = this.queue.add(image);
    this.sendBatches();
    return answer;
  }

  /** Sends a stop message and never terminates the thread: onnxruntime aborts the whole process when its thread ends during a run. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    const { thread } = this;
    if (!thread) return;
    const ended = once(thread, 'exit');
    thread.postMessage(STOP);
    await ended;
  }

  private sendBatches(): void {
    while (this.thread && this.inThread.size < BATCHES_IN_THREAD) {
      const jobs = this.queue.take(this.model.manifest.batch.size);
      if (jobs.length === 0) return;
      const batch: Batch = { id: ++this.lastId, images: jobs.map(({ image }) => image) };
      this.inThread.set(batch.id, { jobs, sinceMs: performance.now() });
      this.options.batchSent(jobs.length);
      this.thread.postMessage(batch);
    }
  }

  private onMessage(message: FromThread): void {
    if (message.kind === 'loaded') {
      this.providers = message.providers;
      void this.checkGolden();
    } else if (message.kind === 'refused') this.refuse(message.reason);
    else {
      const jobs = this.inThread.get(message.id)?.jobs ?? [];
      this.inThread.delete(message.id);
      this.sendBatches();
      if (message.kind === 'done') jobs.forEach((job, i) => job.resolve(message.analyses[i]!));
      else jobs.forEach((job) => job.reject(new Error(message.reason)));
    }
  }

  private async checkGolden(): Promise<void> {
    try {
      const faults = await goldenFaults(this.model, decodeLimits(this.model), (image) => this.analyze(image));
      if (faults) return this.refuse(faults);
      this.crashes = 0;
      this.setState({ kind: 'ready' });
      this.options.report('ready', `${this.model.manifest.version} on ${this.providers.join(', ')}`);
    } catch (error) {
      if (!(error instanceof ThreadLost)) this.refuse(error instanceof Error ? error.message : String(error));
    }
  }

  private refuse(reason: string): void {
    this.setState({ kind: 'refused', reason });
    this.options.report('refused', reason);
  }

  private setState(state: WorkerState): void {
    this.state = state;
    const waiting = this.waiting;
    this.waiting = [];
    waiting.forEach((wake) => wake());
  }

  private lost(thread: Worker, code: number): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    const begun = [...this.inThread.values()].flatMap(({ jobs }) => jobs);
    this.inThread.clear();
    const gone = new ThreadLost(`the model thread ended with code ${code}`);
    begun.forEach((job) => job.reject(gone));
    const givenBack = begun.length + this.queue.clear(gone);
    if (this.stopping || this.state.kind === 'refused') return;
    this.setState({ kind: 'starting' });
    this.options.report('lost', `ended with code ${code}, ${givenBack} jobs given back`);
    this.restart = setTimeout(() => this.start(), Math.min(SLOWEST_RESTART_MS, FIRST_RESTART_MS * 2 ** this.crashes++));
  }
}
