import { Module, type DynamicModule } from '@nestjs/common';
import { EventingModule } from '@tire/eventing';
import { systemClock } from '@tire/kernel';
import { createOutbound, DatabaseModule, HealthRegistry } from '@tire/platform';
import { AssetController } from './asset.controller';
import { AssetRow, AssetStore } from './asset.store';
import { s3Options, type Config } from './config';
import { DiscardService } from './discard.service';
import { DiscardStore } from './discard.store';
import { DiscardSweeper } from './discard.sweeper';
import { MAX_UPLOAD_BYTES } from './domain/image-content';
import { FetchConsumer } from './fetch.consumer';
import { FetchAnswers } from './fetch.answers';
import { FetchService } from './fetch.service';
import { ImageKeeper } from './image-keeper';
import { MIGRATIONS } from './migrations';
import { DiskStore } from './object-store/disk.store';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store';
import { S3Store } from './object-store/s3.store';
import { CLOCK, OUTBOUND } from './tokens';
import { UploadsService } from './uploads.service';

function objectStore(config: Config): ObjectStore {
  if (config.OBJECT_STORE === 's3') return new S3Store(s3Options(config));
  return new DiskStore({
    root: config.OBJECT_STORE_DISK_ROOT!,
    publicUrl: config.OBJECT_STORE_DISK_PUBLIC_URL!,
    secret: config.OBJECT_STORE_DISK_SECRET!,
    maxBytes: MAX_UPLOAD_BYTES,
    clock: systemClock,
  });
}

@Module({})
export class AppModule {
  static forRoot(config: Config): DynamicModule {
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
        ImageKeeper,
        UploadsService,
        FetchAnswers,
        FetchService,
        FetchConsumer,
        DiscardStore,
        DiscardService,
        DiscardSweeper,
        { provide: CLOCK, useValue: systemClock },
        {
          provide: OUTBOUND,
          useFactory: () => createOutbound({ allowedOrigins: config.OUTBOUND_ALLOWED_ORIGINS, extraCaFile: config.OUTBOUND_EXTRA_CA_FILE }),
        },
        {
          provide: OBJECT_STORE,
          inject: [HealthRegistry],
          useFactory: (health: HealthRegistry): ObjectStore => {
            const store = objectStore(config);
            health.register('object store', () => store.check());
            return store;
          },
        },
      ],
    };
  }
}
