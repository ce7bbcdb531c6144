import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { EventingModule } from '@tire/eventing';
import { grpcClients, HealthRegistry, logger } from '@tire/platform';
import { AnalysisConsumer } from './analyses/analysis.consumer';
import type { Config } from './config';
import { Engine, type EngineOptions } from './engine/engine';
import { Metrics } from './analyses/metrics';
import { MemoryGuard } from './engine/memory-guard';
import { AnalysisService } from './analyses/analysis.service';
import { keepRemovingLeftovers } from './imaging/pixel-folder';

/** More than the largest batch and the images prefetched beside it, so that the consumer never reaches this limit. */
const MAX_WAITING = 128;

@Module({})
export class AppModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(Engine) private readonly engine: Engine,
    @Inject(HealthRegistry) private readonly health: HealthRegistry,
    @Inject(MemoryGuard) private readonly memory: MemoryGuard,
  ) {}

  static forRoot(config: Config): DynamicModule {
    const options: EngineOptions = {
      repository: config.MODEL_REPOSITORY,
      operations: config.INFERENCE_OPERATIONS,
      execution: { requested: config.EXECUTION_PROVIDERS, fallback: config.EXECUTION_FALLBACK },
      queue: { maxWaiting: MAX_WAITING, deadlineMs: config.ANALYSIS_DEADLINE_MS },
      pollEveryMs: config.MODEL_REPOSITORY_LOOK_MS,
    };
    return {
      module: AppModule,
      imports: [
        EventingModule.forRoot({ serviceName: 'inference', natsUrl: config.NATS_URL, natsPassword: config.NATS_PASSWORD, outbox: false }),
      ],
      providers: [
        AnalysisConsumer,
        AnalysisService,
        Metrics,
        {
          provide: Engine,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => {
            const engine = new Engine(options, logger('engine'), metrics);
            metrics.watchQueue(() => engine.waitingJobs());
            metrics.watchRefusals(() => engine.refusals());
            engine.start();
            return engine;
          },
        },
        {
          provide: MemoryGuard,
          inject: [Engine],
          useFactory: (engine: Engine) =>
            new MemoryGuard(
              config.MEMORY_CEILING_MIB,
              () => engine.renew(),
              () => engine.residentMib(),
            ),
        },
        ...grpcClients('inference', config, ['assets']),
      ],
    };
  }

  onModuleInit(): void {
    this.health.register('models', async () => this.engine.assertReady());
    this.health.registerAlive('models', async () => this.engine.assertProgress());
    this.memory.start();
    keepRemovingLeftovers();
  }

  /** Runs after the consumers have drained: a process that ended earlier would lose its job. */
  async onApplicationShutdown(): Promise<void> {
    await this.memory.stop();
    await this.engine.stop();
  }
}
