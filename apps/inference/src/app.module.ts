import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { GRPC_SERVICES, type assetsApi } from '@tire/contracts';
import { EventingModule } from '@tire/eventing';
import { grpcClient, HealthRegistry, logger } from '@tire/platform';
import { AnalysisConsumer } from './analysis.consumer';
import type { Config } from './config';
import { Engine } from './engine/engine';
import { InferenceController } from './inference.controller';
import { Measures } from './measures';
import { Assets, MeasuringService } from './measuring.service';

@Module({})
export class AppModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(Engine) private readonly engine: Engine,
    @Inject(HealthRegistry) private readonly health: HealthRegistry,
  ) {}

  static forRoot(config: Config): DynamicModule {
    const options = { repository: config.MODEL_REPOSITORY, operations: config.INFERENCE_OPERATIONS, providers: config.EXECUTION_PROVIDERS };
    return {
      module: AppModule,
      imports: [EventingModule.forRoot({ serviceName: 'inference', natsUrl: config.NATS_URL, outbox: false })],
      controllers: [InferenceController],
      providers: [
        AnalysisConsumer,
        MeasuringService,
        Measures,
        {
          provide: Engine,
          useFactory: () => {
            const engine = new Engine(options, logger('engine'));
            engine.start();
            return engine;
          },
        },
        {
          provide: Assets,
          useFactory: () => ({ client: grpcClient<assetsApi.AssetServiceClient>(GRPC_SERVICES.assets, config.ASSETS_GRPC_URL) }),
        },
      ],
    };
  }

  onModuleInit(): void {
    this.health.register('models', async () => this.engine.assertReady());
  }

  /** After the consumers have drained: a thread that ends earlier would take its job with it. */
  onApplicationShutdown(): Promise<void> {
    return this.engine.stop();
  }
}
