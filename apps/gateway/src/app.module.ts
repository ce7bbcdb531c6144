import { systemClock, type Clock } from '@tire/kernel';
import { GRPC_SERVICES, type contentApi, type ledgerApi, type shareApi } from '@tire/contracts';
import { DatabaseModule, grpcClient } from '@tire/platform';
import { Module, type DynamicModule } from '@nestjs/common';
import { Admission, type AdmissionRules } from './admission';
import type { GatewayConfig } from './config';
import { CONSOLE_CONTROLLERS, CONSOLE_PROVIDERS } from './console/parts';
import { CONSOLE_SETTINGS, consoleSettings } from './console/settings';
import { ContentService } from './content.service';
import { Edge } from './edge';
import { ExistenceFirst } from './existence-first.interceptor';
import { KeyAuthority } from './key-authority';
import { KeyUse } from './key-use';
import { MeasuringController } from './measuring.controller';
import { MeasuringService } from './measuring.service';
import { MIGRATIONS } from './migrations';
import { OpenapiController } from './openapi.controller';
import { GATEWAY_ENTITIES } from './organization.store';
import { PublicationController } from './publication.controller';
import { PublicationService } from './publication.service';
import { ReadingController } from './reading.controller';
import { ReadingService } from './reading.service';
import { ReportsController } from './reports.controller';
import { ReportsService } from './reports.service';
import { ADMISSION_RULES, CLOCK, CONTENT, KEY_USE_FLUSH_SECONDS, LEDGER, PLAIN_CALLBACKS, PUBLIC_API_URL, SHARE } from './tokens';

const admissionRules = (config: GatewayConfig): AdmissionRules => ({
  perSecond: config.RATE_LIMIT_PER_SECOND,
  burst: config.RATE_LIMIT_BURST,
  inFlightMax: config.REQUESTS_IN_FLIGHT_MAX,
  loopLagMsMax: config.SHED_LOOP_LAG_MS,
});

@Module({})
export class AppModule {
  static for(config: GatewayConfig, clock: Clock = systemClock): DynamicModule {
    const { LEDGER_GRPC_URL, CONTENT_GRPC_URL, SHARE_GRPC_URL } = config;
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'gateway',
          entities: GATEWAY_ENTITIES,
          migrations: MIGRATIONS,
        }),
      ],
      controllers: [
        ReportsController,
        ReadingController,
        MeasuringController,
        PublicationController,
        OpenapiController,
        ...CONSOLE_CONTROLLERS,
      ],
      providers: [
        { provide: CLOCK, useValue: clock },
        { provide: PUBLIC_API_URL, useValue: config.PUBLIC_API_URL },
        { provide: PLAIN_CALLBACKS, useValue: config.NODE_ENV !== 'production' },
        { provide: LEDGER, useFactory: () => grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, LEDGER_GRPC_URL) },
        { provide: CONTENT, useFactory: () => grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, CONTENT_GRPC_URL) },
        { provide: SHARE, useFactory: () => grpcClient<shareApi.ShareServiceClient>(GRPC_SERVICES.share, SHARE_GRPC_URL) },
        { provide: ADMISSION_RULES, useValue: admissionRules(config) },
        { provide: KEY_USE_FLUSH_SECONDS, useValue: config.KEY_USE_FLUSH_SECONDS },
        { provide: CONSOLE_SETTINGS, useFactory: () => consoleSettings(config) },
        Edge,
        Admission,
        KeyAuthority,
        KeyUse,
        ExistenceFirst,
        ReportsService,
        ReadingService,
        MeasuringService,
        PublicationService,
        ContentService,
        ...CONSOLE_PROVIDERS,
      ],
    };
  }
}
