import { type DynamicModule, Module } from '@nestjs/common';
import { EventingModule } from '@tire/eventing';
import { DatabaseModule, grpcClients, PUBLIC_API_URL } from '@tire/platform';
import type { Config } from './config';
import { ExplanationService } from './explanations/explanation.service';
import { MIGRATIONS } from './migrations';
import { AnalysisEndedConsumer } from './revisions/analysis-ended.consumer';
import { ContentController } from './revisions/content.controller';
import { ContentService } from './revisions/content.service';
import { TranslationService } from './translations/translation.service';

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
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ serviceName: 'content', natsUrl: config.NATS_URL, natsPassword: config.NATS_PASSWORD, outbox: true }),
      ],
      controllers: [ContentController],
      providers: [
        ContentService,
        ExplanationService,
        TranslationService,
        AnalysisEndedConsumer,
        { provide: PUBLIC_API_URL, useValue: config.PUBLIC_API_URL },
        ...grpcClients('content', config, ['ledger']),
      ],
    };
  }
}
