import { GRPC_SERVICES, type assetsApi } from '@tire/contracts';
import { EventingModule } from '@tire/eventing';
import { systemClock, type Clock } from '@tire/kernel';
import { DatabaseModule, grpcClient } from '@tire/platform';
import { Module, type DynamicModule } from '@nestjs/common';
import { AnalysisFinishedConsumer } from './analysis-finished.consumer';
import type { LedgerConfig } from './config';
import { ContentGeneratedConsumer } from './content-generated.consumer';
import { CreationService } from './creation.service';
import type { PublicAddresses } from './domain/document';
import { ImageFetchedConsumer } from './image-fetched.consumer';
import { MIGRATIONS } from './migrations';
import { PublicationChangedConsumer } from './publication-changed.consumer';
import { Reconciler, type ReconcileSettings } from './reconciler';
import { RegistrationService } from './registration.service';
import { ReportCommands } from './report.commands';
import { ReportController } from './report.controller';
import { ReportQueries } from './report.queries';
import { LEDGER_ENTITIES } from './report.rows';
import { ADDRESSES, ASSETS, CLOCK, RECONCILE } from './tokens';

@Module({})
export class AppModule {
  static for(config: LedgerConfig, clock: Clock = systemClock): DynamicModule {
    const addresses: PublicAddresses = { apiUrl: config.PUBLIC_API_URL, shareBaseUrl: config.SHARE_BASE_URL };
    const reconcile: ReconcileSettings = { intervalMs: config.RECONCILE_INTERVAL_MS, overdueMs: config.RECONCILE_AFTER_MS };
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'ledger',
          entities: LEDGER_ENTITIES,
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ serviceName: 'ledger', natsUrl: config.NATS_URL, outbox: true }),
      ],
      controllers: [ReportController],
      providers: [
        { provide: CLOCK, useValue: clock },
        { provide: ADDRESSES, useValue: addresses },
        { provide: RECONCILE, useValue: reconcile },
        { provide: ASSETS, useFactory: () => grpcClient<assetsApi.AssetServiceClient>(GRPC_SERVICES.assets, config.ASSETS_GRPC_URL) },
        ReportCommands,
        ReportQueries,
        CreationService,
        RegistrationService,
        ImageFetchedConsumer,
        AnalysisFinishedConsumer,
        ContentGeneratedConsumer,
        PublicationChangedConsumer,
        Reconciler,
      ],
    };
  }
}
