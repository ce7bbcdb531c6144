import type { Clock } from '@tire/kernel';
import { s3Options, type Config } from '../config';
import { MAX_UPLOAD_BYTES } from '../domain/images/image-content';
import { DiskStore } from './disk.store';
import type { ObjectStore } from './object-store';
import { S3Store } from './s3.store';

export function configuredStore(config: Config, clock: Clock): ObjectStore {
  if (config.OBJECT_STORE === 's3') return new S3Store(s3Options(config));
  return new DiskStore({
    root: config.OBJECT_STORE_DISK_ROOT!,
    publicUrl: config.OBJECT_STORE_DISK_PUBLIC_URL!,
    secret: config.OBJECT_STORE_DISK_SECRET!,
    maxBytes: MAX_UPLOAD_BYTES,
    clock,
  });
}
