import { EventingModule } from '@tire/eventing';
import { CLOCK, systemClock, type Clock } from '@tire/kernel';
import { DatabaseModule, grpcClients } from '@tire/platform';
import { Module, type DynamicModule } from '@nestjs/common';
import { AnalysisFinishedConsumer } from './analysis/analysis-finished.consumer';
import { AssetUse } from './images/asset-use';
import type { Config } from './config';
import { ContentGeneratedConsumer } from './publication/content-generated.consumer';
import { CaptureService } from './capture/capture.service';
import { CreationService, type CreationSettings } from './creation/creation.service';
import type { PublicAddresses } from './domain/document';
import { ImageFetchedConsumer } from './analysis/image-fetched.consumer';
import { MIGRATIONS } from './migrations';
import { PublicationService } from './publication/publication.service';
import { PublicationChangedConsumer } from './publication/publication-changed.consumer';
import { Reconciler, type ReconcileSettings } from './reconciler/reconciler';
import { HoldsService } from './holds/holds.service';
import { RemovalService } from './removal/removal.service';
import { SubjectService } from './removal/subject.service';
import { MeasuringService } from './analysis/measuring.service';
import { SizeGuessesService } from './analysis/size-guesses.service';
import { GaugeService } from './gauge/gauge.service';
import { SandboxAnswers } from './sandbox/sandbox-answers';
import { ReportCommands } from './reports/report.commands';
import { ReportController } from './reports/report.controller';
import { HistoryService } from './history/history.service';
import { ProgressService } from './history/progress.service';
import { ReportQueries } from './reports/report.queries';
import { SearchService } from './search/search.service';
import { UsageService } from './usage/usage.service';
import { VehicleBackfill } from './vehicles/backfill';
import { VehicleSweep } from './vehicles/sweep';
import { VehiclesService } from './vehicles/vehicles.service';
import { Retention, type RetentionSettings } from './removal/retention';
import { Dispatcher, type WorkSettings } from './work/dispatcher';
import { MarksService } from './worklist/marks.service';
import { StandingRepair } from './worklist/standing-repair';
import { WaitingMetrics } from './work/waiting.metrics';
import { ADDRESSES, CREATION, RECONCILE, RETENTION, SEALING_KEYS, WORK } from './tokens';

const brokerOf = ({ NATS_URL: natsUrl, NATS_PASSWORD: natsPassword, NATS_STREAM_REPLICAS: streamReplicas }: Config) => ({
  natsUrl,
  natsPassword,
  streamReplicas,
});

/** What runs by itself: on a fact, on time, or when work waits. */
const IN_BACKGROUND = [
  ImageFetchedConsumer,
  AnalysisFinishedConsumer,
  ContentGeneratedConsumer,
  PublicationChangedConsumer,
  Reconciler,
  StandingRepair,
  Retention,
  Dispatcher,
  SandboxAnswers,
  WaitingMetrics,
];

@Module({})
export class AppModule {
  static forRoot(config: Config, clock: Clock = systemClock): DynamicModule {
    const addresses: PublicAddresses = { apiUrl: config.PUBLIC_API_URL, shareBaseUrl: config.SHARE_BASE_URL };
    const creation: CreationSettings = {
      addresses,
      sealingKeys: config.SEALING_KEYS,
      plainCallbacks: config.NODE_ENV !== 'production',
      allowedImageOrigins: new Set(config.OUTBOUND_ALLOWED_ORIGINS),
    };
    const reconcile: ReconcileSettings = { intervalMs: config.RECONCILE_INTERVAL_MS, overdueMs: config.RECONCILE_AFTER_MS };
    const work: WorkSettings = { fetchesPerProject: config.FETCHES_PER_PROJECT };
    const retention: RetentionSettings = {
      intervalMs: config.RETENTION_INTERVAL_MS,
      defaults: {
        reports: config.REPORT_RETENTION_DAYS,
        photographs: config.PHOTOGRAPH_RETENTION_DAYS,
        usage: config.USAGE_RETENTION_DAYS,
      },
      testReportDays: config.TEST_REPORT_RETENTION_DAYS,
      idempotencyHours: config.IDEMPOTENCY_RETENTION_HOURS,
    };
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'ledger',
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ ...brokerOf(config), serviceName: 'ledger', outbox: true }),
      ],
      controllers: [ReportController],
      providers: [
        { provide: CLOCK, useValue: clock },
        { provide: ADDRESSES, useValue: addresses },
        { provide: SEALING_KEYS, useValue: config.SEALING_KEYS },
        { provide: CREATION, useValue: creation },
        { provide: RECONCILE, useValue: reconcile },
        { provide: RETENTION, useValue: retention },
        { provide: WORK, useValue: work },
        ...grpcClients('ledger', config, ['assets', 'content', 'share']),
        ReportCommands,
        ReportQueries,
        SearchService,
        ...[UsageService, VehiclesService, VehicleBackfill, VehicleSweep, HistoryService, ProgressService],
        AssetUse,
        CreationService,
        CaptureService,
        MeasuringService,
        ...[SizeGuessesService, GaugeService],
        PublicationService,
        RemovalService,
        HoldsService,
        SubjectService,
        MarksService,
        ...IN_BACKGROUND,
      ],
    };
  }
}
