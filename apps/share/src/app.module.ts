import { type DynamicModule, Module } from '@nestjs/common';
import { type assetsApi, type contentApi, GRPC_SERVICES, type ledgerApi } from '@tire/contracts';
import { EventingModule } from '@tire/eventing';
import { type Clock, systemClock } from '@tire/kernel';
import { outboundFrom, DatabaseModule, grpcClient } from '@tire/platform';
import { CallbackDelivery, OUTBOUND } from './callback.delivery';
import { CallbackMetrics } from './callback.metrics';
import { CallbackQueue } from './callback.queue';
import { CallbackRecords } from './callback.records';
import { CallbackService } from './callback.service';
import { CallbackStore } from './callback.store';
import { CallbackWorker } from './callback.worker';
import type { Config } from './config';
import { LinkService } from './link.service';
import { FactsConsumer } from './facts.consumer';
import { MIGRATIONS } from './migrations';
import { PageController } from './page.controller';
import { PageService } from './page.service';
import { PdfService } from './pdf.service';
import { PhotographReader } from './photograph.reader';
import { PublicationService } from './publication.service';
import { PublicationRow, PublicationStore, ShareLink } from './publication.store';
import { ASSETS, CONTENT, ReportReader } from './report.reader';
import { SETTINGS, type Settings } from './settings';
import { ShareController } from './share.controller';
import { LEDGER, ShareService } from './share.service';
import { WebhookSecret, WebhookSecretsStore } from './webhook-secrets.store';
import { WebhookService } from './webhook.service';

export const ENTITIES = [PublicationRow, ShareLink, WebhookSecret];

@Module({})
export class AppModule {
  static forRoot(config: Config, clock: Clock = systemClock): DynamicModule {
    const settings: Settings = {
      publicApiUrl: config.PUBLIC_API_URL,
      shareBaseUrl: config.SHARE_BASE_URL,
      photographOrigin: new URL(config.OBJECT_STORE_PUBLIC_ORIGIN).origin,
      linkLifetimeDays: config.SHARE_LINK_LIFETIME_DAYS,
      pdfsAtOnce: config.SHARE_PDFS_AT_ONCE,
      callbacksAtOnce: config.SHARE_CALLBACKS_AT_ONCE,
      clock,
    };
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'share',
          entities: ENTITIES,
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ serviceName: 'share', natsUrl: config.NATS_URL, outbox: true }),
      ],
      controllers: [ShareController, PageController],
      providers: [
        PublicationStore,
        PublicationService,
        FactsConsumer,
        ShareService,
        LinkService,
        ReportReader,
        PageService,
        PhotographReader,
        PdfService,
        WebhookSecretsStore,
        CallbackStore,
        CallbackMetrics,
        CallbackQueue,
        CallbackRecords,
        CallbackService,
        WebhookService,
        CallbackDelivery,
        CallbackWorker,
        { provide: SETTINGS, useValue: settings },
        {
          provide: OUTBOUND,
          useFactory: () => outboundFrom(config),
        },
        { provide: LEDGER, useFactory: () => grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL) },
        { provide: CONTENT, useFactory: () => grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, config.CONTENT_GRPC_URL) },
        { provide: ASSETS, useFactory: () => grpcClient<assetsApi.AssetServiceClient>(GRPC_SERVICES.assets, config.ASSETS_GRPC_URL) },
      ],
    };
  }
}
