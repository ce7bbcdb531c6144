import { Module, type DynamicModule } from '@nestjs/common';
import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts';
import { EventingModule } from '@tire/eventing';
import { systemClock, type Clock } from '@tire/kernel';
import { outboundFrom, DatabaseModule, grpcClient, HealthRegistry } from '@tire/platform';
import { AssetController } from './asset.controller';
import { AssetUsage } from './asset-usage';
import { AssetRow, AssetStore } from './asset.store';
import { Cleaner } from './cleaner';
import { CleaningSchedule } from './cleaning.schedule';
import { CleaningStore } from './cleaning.store';
import { cleaningSettings, type Config } from './config';
import { DiscardService } from './discard.service';
import { DiscardStore } from './discard.store';
import { DiscardSweeper } from './discard.sweeper';
import { FetchConsumer } from './fetch.consumer';
import { FetchAnswers } from './fetch.answers';
import { FetchPlaces } from './fetch.places';
import { FetchService } from './fetch.service';
import { ImageKeeper } from './image-keeper';
import { Inspection } from './inspection';
import { MIGRATIONS } from './migrations';
import { configuredStore } from './object-store/configured-store';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store';
import { CLEANING, CLOCK, LEDGER, OUTBOUND } from './tokens';
import { UploadsService } from './uploads.service';

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
          entities: [AssetRow],
          migrations: MIGRATIONS,
        }),
        EventingModule.forRoot({ serviceName: 'assets', natsUrl: config.NATS_URL, outbox: true }),
      ],
      controllers: [AssetController],
      providers: [
        AssetStore,
        AssetUsage,
        ImageKeeper,
        UploadsService,
        FetchAnswers,
        FetchService,
        FetchPlaces,
        FetchConsumer,
        DiscardStore,
        DiscardService,
        DiscardSweeper,
        CleaningStore,
        Inspection,
        Cleaner,
        CleaningSchedule,
        { provide: CLOCK, useValue: clock },
        { provide: CLEANING, useValue: cleaningSettings(config) },
        { provide: LEDGER, useFactory: () => grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL) },
        {
          provide: OUTBOUND,
          useFactory: () => outboundFrom(config),
        },
        {
          provide: OBJECT_STORE,
          inject: [HealthRegistry],
          useFactory: (health: HealthRegistry): ObjectStore => {
            const store = configuredStore(config, clock);
            health.register('object store', () => store.check());
            return store;
          },
        },
      ],
    };
  }
}
