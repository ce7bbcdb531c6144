import type { Logger } from '@tire/platform';
import type { Operation } from '../models/manifest';
import type { Provider } from '../models/network';
import { loadRepository, type ModelFolder } from '../models/repository';
import { ModelWorker } from './model-worker';

export interface EngineOptions {
  readonly repository: string;
  readonly operations: readonly Operation[];
  readonly providers: readonly Provider[];
}

/** The models of one repository, each in its thread. Refusal is a state with a reason, so that readiness can say it. */
export class Engine {
  private workers: ModelWorker[] = [];
  private fault: unknown = new Error('models are loading');
  private loaded: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: EngineOptions,
    private readonly log: Pick<Logger, 'info' | 'error'>,
  ) {}

  start(): void {
    this.loaded = this.load().catch((error: unknown) => {
      this.fault = error;
      this.log.error({ err: error }, 'models refused');
    });
  }

  private async load(): Promise<void> {
    const { repository, operations, providers } = this.options;
    const models = await loadRepository(repository, operations);
    this.workers = models.map((model) => {
      const { name } = model.manifest;
      return new ModelWorker(model, providers, (event, detail) => {
        this.log[event === 'ready' ? 'info' : 'error']({ model: name, detail }, `model thread ${event}`);
      });
    });
    this.workers.forEach((worker) => worker.start());
    this.fault = undefined;
  }

  get operations(): readonly Operation[] {
    return this.options.operations;
  }

  get models(): readonly ModelFolder[] {
    return this.workers.map(({ model }) => model);
  }

  /** Throws what keeps an operation, or any of them, from being done. */
  assertReady(operation?: Operation): void {
    if (this.fault) throw this.fault;
    for (const { model, state } of this.workers) {
      if (operation && model.manifest.operation !== operation) continue;
      if (state.kind !== 'ready')
        throw new Error(`${model.manifest.name} is ${state.kind}${state.kind === 'refused' ? `: ${state.reason}` : ''}`);
    }
  }

  /** The worker of an operation, once it is ready. */
  async worker(operation: Operation, signal: AbortSignal): Promise<ModelWorker> {
    await this.loaded;
    if (this.fault) throw this.fault;
    const worker = this.workers.find(({ model }) => model.manifest.operation === operation);
    if (!worker) throw new Error(`no model for ${operation}`);
    await worker.whenReady(signal);
    return worker;
  }

  async stop(): Promise<void> {
    await this.loaded;
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }
}
