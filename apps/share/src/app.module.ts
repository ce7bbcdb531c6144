import { type DynamicModule, Module } from '@nestjs/common';
import { EventingModule } from '@tire/eventing';
import { CLOCK, type Clock, systemClock } from '@tire/kernel';
import { DatabaseModule, grpcClients, httpsTls, OUTBOUND, outboundFrom, watchCertificates } from '@tire/platform';
import { CallbackSender } from './callbacks/callback.sender';
import { CallbackMetrics } from './callbacks/callback.metrics';
import { CallbackQueue } from './callbacks/callback.queue';
import { CallbackService } from './callbacks/callback.service';
import { CallbackWorker } from './callbacks/callback.worker';
import { ReplayService } from './callbacks/replay.service';
import type { Config } from './config';
import { ListenerService } from './listeners/listener.service';
import { LinkService } from './links/link.service';
import { MIGRATIONS } from './migrations';
import { PageController } from './page/page.controller';
import { PageService } from './page/page.service';
import { ReportReader } from './page/report.reader';
import { VisitorGate } from './page/visitor-gate';
import { LogoSchedule } from './partner/logo.schedule';
import { BranchService } from './partner/branch.service';
import { Logos } from './partner/logos';
import { PartnerService } from './partner/partner.service';
import { ImageReader } from './pdf/image.reader';
import { PdfMaker } from './pdf/pdf-maker';
import { PdfService } from './pdf/pdf.service';
import { PublicationConsumer } from './publication/publication.consumer';
import { PublicationService } from './publication/publication.service';
import { ShareController } from './publication/share.controller';
import { ShareService } from './publication/share.service';
import { CONFIG } from './tokens';
import { Retention } from './retention/retention';
import { VehicleLinkService } from './vehicles/vehicle-link.service';
import { VehicleLinkSweep } from './vehicles/vehicle-link.sweep';
import { VehiclePageService } from './vehicles/vehicle-page.service';
import { VehicleReader } from './vehicles/vehicle.reader';
import { WebhookSecretService } from './webhook-secrets/webhook-secret.service';

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
          edge: true,
        }),
        EventingModule.forRoot({ serviceName: 'share', natsUrl: config.NATS_URL, natsPassword: config.NATS_PASSWORD, outbox: true }),
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
        PdfMaker,
        PdfService,
        CallbackMetrics,
        CallbackQueue,
        CallbackService,
        ReplayService,
        Retention,
        ListenerService,
        CallbackSender,
        CallbackWorker,
        WebhookSecretService,
        Logos,
        PartnerService,
        BranchService,
        VehicleLinkService,
        VehicleLinkSweep,
        VehicleReader,
        VehiclePageService,
        LogoSchedule,
        {
          provide: CONFIG,
          useFactory: () => {
            // This service may reach the internet, so it sees the hosts as clients do.
            watchCertificates('public', [...httpsTls(config.PUBLIC_API_URL), ...httpsTls(config.SHARE_BASE_URL)]);
            return config;
          },
        },
        { provide: CLOCK, useValue: clock },
        { provide: OUTBOUND, useFactory: () => outboundFrom(config) },
        ...grpcClients('share', config, ['ledger', 'content', 'assets']),
      ],
    };
  }
}
