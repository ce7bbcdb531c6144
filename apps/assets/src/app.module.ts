import { Module, type DynamicModule } from '@nestjs/common';
import { EventingModule } from '@tire/eventing';
import { CLOCK, systemClock, type Clock } from '@tire/kernel';
import { DatabaseModule, grpcClients, HealthRegistry, httpsTls, OUTBOUND, outboundFrom, watchCertificates } from '@tire/platform';
import { ImageDecoder } from '@tire/platform/images';
import { AssetController } from './assets/asset.controller';
import { AssetUsage } from './assets/asset-usage';
import { Cleaner } from './cleaning/cleaner';
import { CleaningSchedule } from './cleaning/cleaning.schedule';
import { Inspection } from './cleaning/inspection';
import { cleaningSettings, type Config } from './config';
import { DiscardService } from './discards/discard.service';
import { DiscardSweeper } from './discards/discard.sweeper';
import { displayDecoder } from './display/derivatives';
import { DisplayService } from './display/display.service';
import { LogoService } from './display/logo.service';
import { ExportFilesService } from './exports/export-files.service';
import { FetchConsumer } from './fetching/fetch.consumer';
import { FetchPlaces } from './fetching/fetch.places';
import { FetchResults } from './fetching/fetch.results';
import { SandboxAddresses } from './fetching/sandbox-addresses';
import { FetchService } from './fetching/fetch.service';
import { ImageStorage } from './images/image-storage';
import { MIGRATIONS } from './migrations';
import { configuredStore } from './object-store/configured-store';
import { watchDisks } from './object-store/disks';
import type { ObjectStore } from './object-store/object-store';
import { Retention } from './retention/retention';
import { CLEANING, DISPLAY_AHEAD, OBJECT_STORE, RETENTION_INTERVAL_MS } from './tokens';
import { Registrations } from './uploads/registrations';
import { UploadsService } from './uploads/uploads.service';

@Module({})
export class AppModule {
  static forRoot(config: Config, clock: Clock = systemClock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'assets',
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ serviceName: 'assets', natsUrl: config.NATS_URL, natsPassword: config.NATS_PASSWORD, outbox: true }),
      ],
      controllers: [AssetController],
      providers: [
        AssetUsage,
        ImageStorage,
        Registrations,
        UploadsService,
        DisplayService,
        LogoService,
        ExportFilesService,
        FetchResults,
        FetchService,
        SandboxAddresses,
        FetchPlaces,
        FetchConsumer,
        DiscardService,
        DiscardSweeper,
        Retention,
        Inspection,
        Cleaner,
        CleaningSchedule,
        { provide: ImageDecoder, useFactory: displayDecoder },
        { provide: CLOCK, useValue: clock },
        { provide: RETENTION_INTERVAL_MS, useValue: config.RETENTION_INTERVAL_MS },
        { provide: DISPLAY_AHEAD, useValue: config.DISPLAY_AHEAD },
        { provide: CLEANING, useValue: cleaningSettings(config) },
        ...grpcClients('assets', config, ['ledger']),
        { provide: OUTBOUND, useFactory: () => outboundFrom(config) },
        {
          provide: OBJECT_STORE,
          inject: [HealthRegistry],
          useFactory: (health: HealthRegistry): ObjectStore => {
            const store = configuredStore(config, clock);
            health.register('object store', () => store.check());
            watchDisks(config);
            if (config.OBJECT_STORE === 's3') watchCertificates('object_store', httpsTls(config.OBJECT_STORE_S3_ENDPOINT!));
            return store;
          },
        },
      ],
    };
  }
}
