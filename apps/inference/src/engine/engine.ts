import { type Logger, periodicTask, type RepeatedTask } from '@tire/platform';
import { EventEmitter, once } from 'node:events';
import type { Operation } from '../models/manifest';
import type { ExecutionOptions } from '../models/providers';
import { loadCandidates, triedProjects } from '../models/candidates';
import { loadRepository, ModelFault, type ModelFolder } from '../models/repository';
import type { Refusal } from './job-queue';
import { ModelWorker, type WorkerOptions } from './model-worker';
import { ModelSlot } from './model-slot';

export interface EngineOptions {
  readonly repository: string;
  readonly operations: readonly Operation[];
  readonly execution: ExecutionOptions;
  readonly queue: WorkerOptions['queue'];
  /** How often the repository is checked for other versions. */
  readonly pollEveryMs: number;
}

/** Notifications for metrics. */
export interface EngineEvents {
  batchSent(operation: Operation, batchSize: number): void;
  rejected(operation: Operation, reason: Refusal): void;
  swapped(operation: Operation, outcome: 'taken' | 'refused'): void;
}

/** The models of one repository, each in its own process. Refusal is a state with a reason, which readiness reports. */
export class Engine {
  private readonly slots: ReadonlyMap<Operation, ModelSlot>;
  /** Models that are tried with some projects. They serve these while they are ready and nothing in their folder is refused, and the others never. */
  private readonly tried: ReadonlyMap<Operation, ModelSlot>;
  private triedWith: ReadonlySet<string> = new Set();
  private candidatesFault: string | undefined;
  private readonly ready = new EventEmitter();
  private fault: Error | undefined = new Error('models are loading');
  /** Of the repository, beside running models too. */
  private isUnreadable = false;
  private loaded: Promise<void> = Promise.resolve();
  private refreshing: Promise<void> = Promise.resolve();
  private readonly polls: RepeatedTask;

  constructor(
    private readonly options: EngineOptions,
    private readonly log: Pick<Logger, 'info' | 'warn' | 'error'>,
    private readonly events: EngineEvents,
  ) {
    const slots = (isTried: boolean) =>
      new Map(options.operations.map((operation) => [operation, new ModelSlot((model, alone) => this.workerFor(model, alone, isTried))]));
    this.slots = slots(false);
    this.tried = slots(true);
    this.polls = periodicTask(options.pollEveryMs, () => this.refresh(), log);
  }

  start(): void {
    this.loaded = this.refresh();
    this.polls.start();
  }

  /** Reloads the repository. A new version is verified beside the running one and takes over only then. Calls run one after another. */
  refresh(): Promise<void> {
    this.refreshing = this.refreshing.then(() => this.reload());
    return this.refreshing;
  }

  /** Replaces the processes of all models as if they were new versions, to free the memory of the old ones. */
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

  /** The model that measures for a project now. */
  modelFor(operation: Operation, projectId: string): ModelFolder | undefined {
    return this.chosen(operation, projectId)?.worker?.model;
  }

  /** Throws the reason why an operation, or any of them, is not ready. */
  assertReady(operation?: Operation): void {
    if (this.fault) throw this.fault;
    for (const [name, slot] of this.slots) if (slot.worker && (!operation || operation === name)) assertWorks(slot.worker, slot.retryInMs);
  }

  /** Throws if a worker, also of a candidate, holds work without progress: only a new main process helps. */
  assertProgress(): void {
    for (const { model } of this.workers().filter(({ stuck }) => stuck))
      throw new Error(`${model.manifest.name} holds work without progress`);
  }

  /** Memory of all model processes. */
  residentMib(): number {
    return this.workers().reduce((sum, { residentMib }) => sum + residentMib, 0);
  }

  /** Of each operation, whether the model in the repository is refused, or the repository itself. */
  refusals(): { operation: Operation; isRefused: boolean }[] {
    const isBroken = this.isUnreadable || this.candidatesFault !== undefined;
    return [...this.slots].map(([operation, slot]) => ({
      operation,
      isRefused: isBroken || slot.refusesNewest || this.tried.get(operation)!.refusesNewest,
    }));
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

  /**
   * Runs `work` with the worker of an operation, once it is ready. A replaced worker ends after its last use. For a project with which a
   * candidate is tried, it is the candidate.
   */
  async use<T>(operation: Operation, signal: AbortSignal, work: (worker: ModelWorker) => Promise<T>, projectId?: string): Promise<T> {
    return (await this.slotOf(operation, projectId)).use(signal, work);
  }

  /** Runs `work` with a process of its own, once the process is ready. There is one such process for an operation, and one for its candidate. */
  async useAlone<T>(
    operation: Operation,
    signal: AbortSignal,
    work: (worker: ModelWorker) => Promise<T>,
    begins: () => void = () => undefined,
    projectId?: string,
  ): Promise<T | 'busy'> {
    return (await this.slotOf(operation, projectId)).useAlone(signal, work, begins);
  }

  async stop(): Promise<void> {
    await this.polls.stop();
    await this.refreshing;
    await Promise.all(this.allSlots().map((slot) => slot.stop()));
  }

  private async slotOf(operation: Operation, projectId?: string): Promise<ModelSlot> {
    await this.loaded;
    const slot = this.chosen(operation, projectId);
    if (!slot) throw new Error(`${operation} is not measured here`);
    if (!slot.worker && this.fault) throw this.fault;
    return slot;
  }

  /** A refused candidate or list has the same effect in a process that ran before and in one that starts now: nothing is tried. */
  private chosen(operation: Operation, projectId?: string): ModelSlot | undefined {
    const isTried = projectId !== undefined && this.triedWith.has(projectId) && this.candidatesFault === undefined;
    const tried = isTried ? this.tried.get(operation) : undefined;
    return tried?.worker?.state.kind === 'ready' && !tried.refusesNewest ? tried : this.slots.get(operation);
  }

  private allSlots(): ModelSlot[] {
    return [...this.slots.values(), ...this.tried.values()];
  }

  private workers(): ModelWorker[] {
    return this.allSlots().flatMap((slot) => slot.workers);
  }

  private async reload(renew = false): Promise<void> {
    try {
      const models = await loadRepository(this.options.repository, this.options.operations);
      this.isUnreadable = false;
      await Promise.all(models.map((model) => this.install(this.slots, model, renew)));
      this.fault = undefined;
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      this.isUnreadable = error instanceof ModelFault;
      const known = this.fault?.message === fault.message;
      // A running model continues when the repository cannot be read.
      this.fault = this.models.length === 0 ? fault : this.fault;
      if (!known) this.log.error({ err: fault }, 'Models are refused');
    }
    await this.reloadCandidates(renew);
  }

  /** After the models that serve all, and without any effect on them. */
  private async reloadCandidates(renew: boolean): Promise<void> {
    const { repository, operations } = this.options;
    try {
      // The list first: a project can leave a trial although a model cannot be read.
      const projects = await triedProjects(repository).catch((error: unknown) => {
        this.tellTried(new Set());
        throw error;
      });
      this.tellTried(projects ?? new Set());
      const models = projects ? await loadCandidates(repository, operations, this.models) : [];
      this.candidatesFault = undefined;
      for (const [operation, slot] of this.tried) if (!models.some(({ manifest }) => manifest.operation === operation)) slot.clear();
      await Promise.all(models.map((model) => this.install(this.tried, model, renew)));
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      if (this.candidatesFault !== message) this.log.error({ err: error }, 'Candidates of models are refused');
      this.candidatesFault = message;
    }
  }

  private tellTried(projects: ReadonlySet<string>): void {
    const before = this.triedWith;
    this.triedWith = projects;
    if (projects.size === before.size && [...projects].every((id) => before.has(id))) return;
    this.log.info({ projects: [...projects], before: [...before] }, 'Candidates of models are tried with other projects');
  }

  private async install(slots: ReadonlyMap<Operation, ModelSlot>, model: ModelFolder, renew: boolean): Promise<void> {
    const { name, version, operation } = model.manifest;
    const outcome = await slots.get(operation)!.install(model, renew);
    if (outcome === 'known' || outcome === 'first') return;
    this.events.swapped(operation, outcome);
    const candidate = slots === this.tried;
    this.log[outcome === 'taken' ? 'info' : 'error']({ model: name, version, candidate }, `A model version is ${outcome}`);
  }

  private workerFor(model: ModelFolder, alone: boolean, isTried: boolean): ModelWorker {
    const { name, version, operation } = model.manifest;
    return new ModelWorker(model, {
      execution: this.options.execution,
      queue: this.options.queue,
      alone,
      report: (event, detail) => {
        this.log[event === 'ready' ? 'info' : 'error'](
          { model: name, version, candidate: isTried, alone, detail },
          `A model process is ${event}`,
        );
        if (event === 'ready' && !alone && !isTried) this.ready.emit(operation, model);
      },
      batchSent: (batchSize) => this.events.batchSent(operation, batchSize),
      rejected: (reason) => this.events.rejected(operation, reason),
    });
  }
}

function assertWorks({ model, state }: ModelWorker, retryInMs: number): void {
  const { name } = model.manifest;
  if (state.kind === 'refused')
    throw new Error(`${name} is refused: ${state.reason}; it is tried again in ${Math.ceil(retryInMs / 1000)} s`);
  if (state.kind !== 'ready') throw new Error(`${name} is ${state.kind}`);
}
