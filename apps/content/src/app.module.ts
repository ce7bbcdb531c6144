import { type DynamicModule, Module } from '@nestjs/common';
import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts';
import { EventingModule } from '@tire/eventing';
import { DatabaseModule, grpcClient } from '@tire/platform';
import { AnalysisEndedConsumer } from './analysis-ended.consumer';
import type { Config } from './config';
import { ContentController } from './content.controller';
import { ContentService, LEDGER, PUBLIC_API_URL } from './content.service';
import { ContentOutcome, ContentStore } from './content.store';
import { ExplanationService } from './explanation.service';
import { MIGRATIONS } from './migrations';

@Module({})
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'content',
          entities: [ContentOutcome],
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ serviceName: 'content', natsUrl: config.NATS_URL, outbox: true }),
      ],
      controllers: [ContentController],
      providers: [
        ContentStore,
        ContentService,
        ExplanationService,
        AnalysisEndedConsumer,
        { provide: PUBLIC_API_URL, useValue: config.PUBLIC_API_URL },
        { provide: LEDGER, useFactory: () => grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL) },
      ],
    };
  }
}
