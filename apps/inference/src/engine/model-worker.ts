import { countLossesOf, WatchedChild, type ChildEnd } from '@tire/platform';
import type { DecodeLimits } from '../imaging/decode';
import type { HandedImage } from '../imaging/handed-image';
import type { Manifest } from '../models/manifest';
import type { Analysis } from '../models/outcome';
import type { Provider, ExecutionOptions } from '../models/providers';
import { ModelFault, type ModelFolder } from '../models/repository';
import { goldenFaults } from './golden';
import { JobBroke, JobKilled, ProcessLost } from './job-faults';
import { jobLimits, LOADING, type JobLimits } from './job-limits';
import { JobQueue, type Job, type QueueLimits, type Refusal } from './job-queue';
import type { Batch, FromModel, ToModel } from './protocol';

interface InProcess {
  readonly jobs: readonly Job[];
  servedMs: number;
}

export type WorkerState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly reason: string };

export interface WorkerOptions {
  readonly execution: ExecutionOptions;
  readonly queue: QueueLimits & { readonly deadlineMs: number };
  /** For one job that broke a process before: with more time and a low priority, and without a restart. */
  readonly alone: boolean;
  report(event: 'ready' | 'refused' | 'lost', detail: string): void;
  batchSent(batchSize: number): void;
  rejected(reason: Refusal): void;
}

const MODEL_PROCESS = require.resolve('./model-process');
const FIRST_RESTART_MS = 100;
const SLOWEST_RESTART_MS = 5_000;
/** After so many restarts in a row without a ready model, the model is refused: its waiters give up, and another version may take over. */
export const RESTARTS_MAX = 6;
/** The number of images that a consumer processes at once. They take turns, so an image with many passes delays the others little. */
const BATCHES_IN_PROCESS = 3;
/** In place of a project. */
const GOLDEN = 'golden';
/** A kill takes effect within this time, even on a busy machine. */
const KILL_MARGIN_MS = 60_000;

export const decodeLimits = ({ manifest: { input } }: { manifest: Pick<Manifest, 'input'> }): DecodeLimits => ({
  longSidePx: input.long_side_px,
  minShortSidePx: input.min_short_side_px,
  maxPixels: input.max_pixels,
});

/** One model in one process. It is ready once its golden image gives the manifest's figures, and restarts when its process ends. */
export class ModelWorker {
  private child: WatchedChild<ToModel, FromModel> | undefined;
  private readonly queue: JobQueue;
  private readonly inProcess = new Map<number, InProcess>();
  /** The batch that computes, and the CPU time of the process when it began to. */
  private turn: { readonly id: number; readonly fromMs: number } | undefined;
  private lastId = 0;
  private crashes = 0;
  private stopping = false;
  private restart: NodeJS.Timeout | undefined;
  private waiting: (() => void)[] = [];
  private progressMs = performance.now();
  /** For each image, once the golden image has measured the machine. */
  limits: JobLimits = LOADING;
  state: WorkerState = { kind: 'starting' };
  /** The execution providers in use, known once the model is loaded. */
  providers: readonly Provider[] = [];

  constructor(
    readonly model: ModelFolder,
    private readonly options: WorkerOptions,
  ) {
    this.queue = new JobQueue(options.queue, (reason) => options.rejected(reason));
    countLossesOf(MODEL_PROCESS);
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get waitingJobs(): number {
    return this.queue.length;
  }

  get residentMib(): number {
    return this.child?.residentMib ?? 0;
  }

  /** Work is held without progress for longer than any limit allows: the kill failed, and only a new main process helps. */
  get stuck(): boolean {
    const isHolding = this.inProcess.size > 0 || this.state.kind === 'starting';
    return isHolding && performance.now() - this.progressMs > this.limits.wallMs + KILL_MARGIN_MS;
  }

  start(): void {
    this.state = { kind: 'starting' };
    this.limits = LOADING;
    this.progressMs = performance.now();
    const child = new WatchedChild<ToModel, FromModel>(MODEL_PROCESS, {
      onMessage: (message) => this.onMessage(message),
      onEnd: (reason, end) => this.lost(child, reason, end),
    });
    this.child = child;
    child.watch(LOADING);
    child.send({ model: this.model, execution: this.options.execution, alone: this.options.alone });
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

  analyze(image: HandedImage, project: string): Promise<Analysis> {
    if (!this.child) return Promise.reject(new ProcessLost('the process of the model is being replaced'));
    const answer = this.queue.add(image, project);
    this.sendBatches();
    return answer;
  }

  /** Another worker takes over before this one is ready, or the service ends: what waits for it gives up. */
  abandon(): void {
    if (this.state.kind !== 'starting') return;
    clearTimeout(this.restart);
    this.setState({ kind: 'refused', reason: 'the process is replaced or stopped' });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    const { child } = this;
    if (!child) return;
    child.kill('the model is stopped');
    await child.ended;
  }

  private sendBatches(): void {
    while (this.child && this.inProcess.size < BATCHES_IN_PROCESS) {
      const jobs = this.queue.take(this.model.manifest.batch.size);
      if (jobs.length === 0) return;
      const batch: Batch = { id: ++this.lastId, images: jobs.map(({ image }) => image), projects: jobs.map(({ project }) => project) };
      this.inProcess.set(batch.id, { jobs, servedMs: 0 });
      if (this.inProcess.size === 1) this.watchTurn();
      this.options.batchSent(jobs.length);
      this.child.send(batch);
    }
  }

  private takeTurn(id: number): void {
    this.endTurn();
    this.turn = { id, fromMs: this.child?.cpuMs() ?? 0 };
    this.watchTurn();
  }

  private endTurn(): void {
    const before = this.turn && this.inProcess.get(this.turn.id);
    if (before) before.servedMs += Math.max(0, (this.child?.cpuMs() ?? 0) - this.turn!.fromMs);
    this.turn = undefined;
  }

  /** The limits hold for the batch that computes, over all its turns. */
  private watchTurn(): void {
    this.progressMs = performance.now();
    if (this.inProcess.size === 0) return this.child?.rest();
    const batch = this.turn && this.inProcess.get(this.turn.id);
    const count = batch?.jobs.length ?? 1;
    const { cpuMs, wallMs } = this.limits;
    this.child?.watch({ cpuMs: cpuMs * count - (batch?.servedMs ?? 0), wallMs: wallMs * count });
  }

  private onMessage(message: FromModel): void {
    if (message.kind === 'loaded') {
      this.providers = message.providers;
      void this.checkGolden();
    } else if (message.kind === 'refused') this.refuse(message.reason);
    else if (message.kind === 'turn') this.takeTurn(message.id);
    else {
      const { jobs = [] } = this.inProcess.get(message.id) ?? {};
      this.inProcess.delete(message.id);
      if (this.turn?.id === message.id) this.turn = undefined;
      this.watchTurn();
      this.sendBatches();
      if (message.kind === 'done') jobs.forEach((job, i) => job.resolve(message.analyses[i]!));
      else jobs.forEach((job) => job.reject(new Error(message.reason)));
    }
  }

  /** The golden image also measures how fast this machine is. */
  private async checkGolden(): Promise<void> {
    const beforeMs = this.child?.cpuMs() ?? 0;
    try {
      const faults = await goldenFaults(this.model, decodeLimits(this.model), (image) => this.analyze(image, GOLDEN));
      if (faults) return this.refuse(faults);
      this.crashes = 0;
      const goldenCpuMs = Math.max(0, (this.child?.cpuMs() ?? 0) - beforeMs);
      this.limits = jobLimits(goldenCpuMs, this.options.queue.deadlineMs, this.options.alone);
      this.setState({ kind: 'ready' });
      this.options.report(
        'ready',
        `${this.model.manifest.version} on ${this.providers.join(', ')}, at most ${this.limits.cpuMs} ms of CPU time for an image`,
      );
    } catch (error) {
      const isOfProcess = error instanceof ProcessLost || error instanceof JobBroke || error instanceof JobKilled;
      if (!isOfProcess) this.refuse(error instanceof Error ? error.message : String(error));
    }
  }

  private refuse(reason: string): void {
    this.setState({ kind: 'refused', reason });
    this.child?.rest();
    this.options.report('refused', reason);
  }

  private setState(state: WorkerState): void {
    this.state = state;
    const waiting = this.waiting;
    this.waiting = [];
    waiting.forEach((wake) => wake());
  }

  private lost(child: WatchedChild<ToModel, FromModel>, reason: string, end: ChildEnd): void {
    if (this.child !== child) return;
    this.child = undefined;
    const { computing, others } = this.takeAll();
    computing.forEach((job) => job.reject(end === 'killed' ? new JobKilled(reason) : new JobBroke(reason)));
    const gone = new ProcessLost(reason);
    others.forEach((job) => job.reject(gone));
    const givenBack = others.length + this.queue.clear(gone);
    if (this.stopping || this.state.kind === 'refused') return;
    if (this.state.kind === 'ready') computing.forEach(() => this.options.rejected('broken'));
    this.options.report('lost', `${reason}; ${computing.length} jobs broke, ${givenBack} jobs are given back`);
    if (this.options.alone || this.crashes >= RESTARTS_MAX) return this.refuse(reason);
    this.setState({ kind: 'starting' });
    this.restart = setTimeout(() => this.startAgain(), Math.min(SLOWEST_RESTART_MS, FIRST_RESTART_MS * 2 ** this.crashes++));
  }

  /** A process that cannot be created, for example for lack of memory, must not end the service. */
  private startAgain(): void {
    try {
      this.start();
    } catch (error) {
      this.refuse(error instanceof Error ? error.message : String(error));
    }
  }

  /** The jobs in the process: those of the batch that computed, or would have, and the others. */
  private takeAll(): { computing: readonly Job[]; others: readonly Job[] } {
    const brokenBy = this.turn?.id ?? this.inProcess.keys().next().value;
    const all = [...this.inProcess];
    this.inProcess.clear();
    this.turn = undefined;
    const jobsOf = (isBroken: boolean) => all.filter(([id]) => (id === brokenBy) === isBroken).flatMap(([, { jobs }]) => jobs);
    return { computing: jobsOf(true), others: jobsOf(false) };
  }
}
