import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MAX_UPLOAD_BYTES } from './domain/image-content';
import { serveDiskStore } from './object-store/disk.routes';
import { DiskStore } from './object-store/disk.store';
import { OBJECT_STORE } from './object-store/object-store';

/** Objects on disk have their addresses here; those of an S3 server have theirs there. */
export async function serveObjects(app: NestFastifyApplication): Promise<void> {
  const store: unknown = app.get(OBJECT_STORE, { strict: false });
  if (!(store instanceof DiskStore)) return;
  await store.removeAbandoned();
  serveDiskStore(app, store, MAX_UPLOAD_BYTES);
}
