import type { Logger } from '@tire/platform';
import { EventEmitter, once } from 'node:events';
import type { Operation } from '../models/manifest';
import type { ExecutionOptions } from '../models/providers';
import { loadRepository, type ModelFolder } from '../models/repository';
import type { QueueLimits, Refusal } from './job-queue';
import { ModelWorker } from './model-worker';
import { ModelSlot } from './model-slot';

export interface EngineOptions {
  readonly repository: string;
  readonly operations: readonly Operation[];
  readonly execution: ExecutionOptions;
  readonly queue: QueueLimits;
  /** How often the repository is checked for other versions. */
  readonly pollEveryMs: number;
}

/** Notifications for metrics. */
export interface EngineEvents {
  batchSent(operation: Operation, batchSize: number): void;
  rejected(operation: Operation, reason: Refusal): void;
  swapped(operation: Operation, outcome: 'taken' | 'refused'): void;
}

/** The models of one repository, each in its own thread. Refusal is a state with a reason, which readiness reports. */
export class Engine {
  private readonly slots: ReadonlyMap<Operation, ModelSlot>;
  private readonly ready = new EventEmitter();
  private fault: Error | undefined = new Error('models are loading');
  private loaded: Promise<void> = Promise.resolve();
  private refreshing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: EngineOptions,
    private readonly log: Pick<Logger, 'info' | 'error'>,
    private readonly events: EngineEvents,
  ) {
    this.slots = new Map(options.operations.map((operation) => [operation, new ModelSlot((model) => this.workerFor(model))]));
  }

  start(): void {
    this.loaded = this.refresh();
    this.timer = setInterval(() => void this.refresh(), this.options.pollEveryMs);
  }

  /** Reloads the repository. A new version is verified beside the running one and takes over only then. Calls run one after another. */
  refresh(): Promise<void> {
    this.refreshing = this.refreshing.then(() => this.reload());
    return this.refreshing;
  }

  /** Replaces the threads of all models as if they were new versions, to free the memory of the old threads. */
  renew(): Promise<void> {
    this.refreshing = this.refreshing.then(() => this.reload(true));
    return this.refreshing;
  }

  get operations(): readonly Operation[] {
    return this.options.operations;
  }

  get models(): readonly ModelFolder[] {
    return [...this.slots.values()].flatMap(({ worker }) => (worker ? [worker.model] : []));
  }

  /** Throws the reason why an operation, or any of them, is not ready. */
  assertReady(operation?: Operation): void {
    if (this.fault) throw this.fault;
    for (const [name, { worker }] of this.slots) if (worker && (!operation || operation === name)) assertWorks(worker);
  }

  waitingJobs(): { operation: Operation; count: number }[] {
    return [...this.slots].map(([operation, { worker }]) => ({ operation, count: worker?.waitingJobs ?? 0 }));
  }

  /** The first model of an operation that becomes ready, perhaps after others were refused. */
  async onceReady(operation: Operation): Promise<ModelFolder> {
    const worker = this.slots.get(operation)?.worker;
    if (worker?.state.kind === 'ready') return worker.model;
    const [model] = (await once(this.ready, operation)) as [ModelFolder];
    return model;
  }

  /** Runs `work` with the worker of an operation, once it is ready. A replaced worker ends after its last use. */
  async use<T>(operation: Operation, signal: AbortSignal, work: (worker: ModelWorker) => Promise<T>): Promise<T> {
    await this.loaded;
    const slot = this.slots.get(operation);
    if (!slot) throw new Error(`${operation} is not measured here`);
    if (!slot.worker && this.fault) throw this.fault;
    return slot.use(signal, work);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.refreshing;
    await Promise.all([...this.slots.values()].map((slot) => slot.stop()));
  }

  private async reload(renew = false): Promise<void> {
    try {
      const models = await loadRepository(this.options.repository, this.options.operations);
      await Promise.all(models.map((model) => this.install(model, renew)));
      this.fault = undefined;
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      const known = this.fault?.message === fault.message;
      // A running model continues when the repository cannot be read.
      this.fault = this.models.length === 0 ? fault : this.fault;
      if (!known) this.log.error({ err: fault }, 'models refused');
    }
  }

  private async install(model: ModelFolder, renew: boolean): Promise<void> {
    const { name, version, operation } = model.manifest;
    const outcome = await this.slots.get(operation)!.install(model, renew);
    if (outcome === 'known' || outcome === 'first') return;
    this.events.swapped(operation, outcome);
    this.log[outcome === 'taken' ? 'info' : 'error']({ model: name, version }, `model version ${outcome}`);
  }

  private workerFor(model: ModelFolder): ModelWorker {
    const { name, operation } = model.manifest;
    return new ModelWorker(model, {
      execution: this.options.execution,
      queue: this.options.queue,
      report: (event, detail) => {
        this.log[event === 'ready' ? 'info' : 'error']({ model: name, detail }, `model thread ${event}`);
        if (event === 'ready') this.ready.emit(operation, model);
      },
      batchSent: (batchSize) => this.events.batchSent(operation, batchSize),
      rejected: (reason) => this.events.rejected(operation, reason),
    });
  }
}

function assertWorks({ model, state, stuck }: ModelWorker): void {
  const { name } = model.manifest;
  if (state.kind !== 'ready') throw new Error(`${name} is ${state.kind}${state.kind === 'refused' ? `: ${state.reason}` : ''}`);
  if (stuck) throw new Error(`${name} is stuck: a run does not end`);
}
