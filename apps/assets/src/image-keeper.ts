import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@tire/kernel';
import type { AssetOrigin, AssetRow } from './asset.store';
import { mayStillBeRecorded } from './domain/cleaning';
import { CONTENT_TYPES, inspectImage, MAX_IMAGE_BYTES } from './domain/image-content';
import type { ImageFault } from './domain/image-size';
import { keptKey, type AssetIdentity } from './domain/object-key';
import { limited } from './limited';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store';
import { CLEANING, CLOCK, type CleaningSettings } from './tokens';

/** Of all images that are looked at and kept at the same time: one of the largest, or half a dozen as telephones take them. */
const IN_MEMORY_BYTES = 24 * 1024 * 1024;

/** Bytes that lie somewhere else as yet. */
export interface ImageSource {
  readonly sizeBytes: number;
  read(): Promise<Buffer>;
}

/**
 * Verifies an image and keeps its bytes under a name that nobody can write to: an upload address stays valid for two hours, and
 * what it overwrites after registration must not change what is measured.
 */
@Injectable()
export class ImageKeeper {
  private readonly inMemory = limited(IN_MEMORY_BYTES);

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLEANING) private readonly cleaning: CleaningSettings,
  ) {}

  /** The row to record, or what is wrong with the image. Kept bytes without a row go when the report is discarded. */
  async keep(identity: AssetIdentity, origin: AssetOrigin, source: ImageSource): Promise<AssetRow | ImageFault> {
    if (source.sizeBytes > MAX_IMAGE_BYTES) return 'image_too_large';
    return this.inMemory(async () => this.keepBytes(identity, origin, await source.read()), source.sizeBytes);
  }

  /** The cleaner looks at nothing young. */
  isYoung({ assetId }: AssetRow): boolean {
    return mayStillBeRecorded(assetId, this.clock.now(), this.cleaning.graceMs);
  }

  async isKept({ objectKey }: AssetRow): Promise<boolean> {
    return (await this.objects.stat(objectKey)) !== undefined;
  }

  /** Takes back what was kept and then not recorded. */
  async forget({ objectKey }: AssetRow): Promise<void> {
    await this.objects.remove(objectKey);
  }

  private async keepBytes(identity: AssetIdentity, origin: AssetOrigin, bytes: Buffer): Promise<AssetRow | ImageFault> {
    const facts = inspectImage(bytes);
    if (typeof facts === 'string') return facts;
    const digest = createHash('sha256').update(bytes).digest();
    const objectKey = keptKey(identity, digest);
    await this.objects.put(objectKey, bytes, { contentType: CONTENT_TYPES[facts.format], cacheControl: 'private, max-age=60' });
    return { ...identity, ...facts, origin, objectKey, sha256: digest, sizeBytes: bytes.length, storedAt: this.clock.now() };
  }
}
