import { type DynamicModule, Module } from '@nestjs/common';
import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { EventingModule } from '@tire/eventing';
import { callSigner, DatabaseModule, grpcClient } from '@tire/platform';
import type { Config } from './config';
import { ExplanationService } from './explanations/explanation.service';
import { MIGRATIONS } from './migrations';
import { AnalysisEndedConsumer } from './revisions/analysis-ended.consumer';
import { ContentController } from './revisions/content.controller';
import { ContentService } from './revisions/content.service';
import { LEDGER, PUBLIC_API_URL } from './tokens';

@Module({})
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    const signer = callSigner('content', config);
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'content',
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ serviceName: 'content', natsUrl: config.NATS_URL, natsPassword: config.NATS_PASSWORD, outbox: true }),
      ],
      controllers: [ContentController],
      providers: [
        ContentService,
        ExplanationService,
        AnalysisEndedConsumer,
        { provide: PUBLIC_API_URL, useValue: config.PUBLIC_API_URL },
        {
          provide: LEDGER,
          useFactory: () => grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL, { signer }),
        },
      ],
    };
  }
}
