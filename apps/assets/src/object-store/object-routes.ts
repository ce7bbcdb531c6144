import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MAX_UPLOAD_BYTES } from '../domain/images/image-content';
import { serveDiskStore } from './disk.routes';
import { DiskStore } from './disk.store';
import { OBJECT_STORE } from '../tokens';

/** Serves the objects of a disk store. An S3 server serves its own. */
export async function serveObjects(app: NestFastifyApplication): Promise<void> {
  const store: unknown = app.get(OBJECT_STORE, { strict: false });
  if (!(store instanceof DiskStore)) return;
  await store.removeAbandoned();
  serveDiskStore(app, store, MAX_UPLOAD_BYTES);
}
