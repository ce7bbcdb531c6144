import { type DynamicModule, Module } from '@nestjs/common';
import { type assetsApi, type contentApi, GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { EventingModule } from '@tire/eventing';
import { CLOCK, type Clock, systemClock } from '@tire/kernel';
import { outboundFrom, DatabaseModule, grpcClient } from '@tire/platform';
import { CallbackDelivery } from './callbacks/callback.delivery';
import { CallbackMetrics } from './callbacks/callback.metrics';
import { CallbackQueue } from './callbacks/callback.queue';
import { CallbackService } from './callbacks/callback.service';
import { CallbackWorker } from './callbacks/callback.worker';
import type { Config } from './config';
import { LinkService } from './links/link.service';
import { MIGRATIONS } from './migrations';
import { PageController } from './page/page.controller';
import { PageService } from './page/page.service';
import { ReportReader } from './page/report.reader';
import { VisitorGate } from './page/visitor-gate';
import { ImageReader } from './pdf/image.reader';
import { PdfService } from './pdf/pdf.service';
import { PublicationConsumer } from './publication/publication.consumer';
import { PublicationService } from './publication/publication.service';
import { ShareController } from './publication/share.controller';
import { ShareService } from './publication/share.service';
import { ASSETS, CONFIG, CONTENT, LEDGER, OUTBOUND } from './tokens';
import { WebhookService } from './webhooks/webhook.service';

@Module({})
export class AppModule {
  static forRoot(config: Config, clock: Clock = systemClock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'share',
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ serviceName: 'share', natsUrl: config.NATS_URL, outbox: true }),
      ],
      controllers: [ShareController, PageController],
      providers: [
        PublicationService,
        PublicationConsumer,
        ShareService,
        LinkService,
        ReportReader,
        PageService,
        VisitorGate,
        ImageReader,
        PdfService,
        CallbackMetrics,
        CallbackQueue,
        CallbackService,
        CallbackDelivery,
        CallbackWorker,
        WebhookService,
        { provide: CONFIG, useValue: config },
        { provide: CLOCK, useValue: clock },
        { provide: OUTBOUND, useFactory: () => outboundFrom(config) },
        { provide: LEDGER, useFactory: () => grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL) },
        { provide: CONTENT, useFactory: () => grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, config.CONTENT_GRPC_URL) },
        { provide: ASSETS, useFactory: () => grpcClient<assetsApi.AssetServiceClient>(GRPC_SERVICES.assets, config.ASSETS_GRPC_URL) },
      ],
    };
  }
}
