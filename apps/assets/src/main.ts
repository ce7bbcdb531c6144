import '@tire/platform/register';
import { GRPC_SERVICES } from '@tire/contracts';
import { runService } from '@tire/platform';
import { AppModule } from './app.module';
import { configSchema } from './config';
import { MAX_IMAGE_BYTES } from './domain/image-content';
import { serveDiskStore } from './object-store/disk.routes';
import { DiskStore } from './object-store/disk.store';
import { OBJECT_STORE } from './object-store/object-store';

void runService({
  name: 'assets',
  config: configSchema,
  module: (config) => AppModule.forRoot(config),
  grpc: [GRPC_SERVICES.assets],
  prepare: (app) => {
    const store: unknown = app.get(OBJECT_STORE);
    if (store instanceof DiskStore) serveDiskStore(app, store, MAX_IMAGE_BYTES);
  },
});
