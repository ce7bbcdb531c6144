import { Inject, Injectable } from '@nestjs/common';
import { IMAGE_BYTES_MAX } from '@tire/contracts/limits';
import { CLOCK, FairTurns, type Clock } from '@tire/kernel';
import { createHash } from 'node:crypto';
import type { Asset, AssetOrigin } from '../assets/asset.store';
import type { CleaningSettings } from '../config';
import { mayStillBeRecorded } from '../domain/cleaning';
import { CONTENT_TYPES, inspectImage } from '../domain/images/image-content';
import type { ImageFault } from '../domain/images/image-size';
import { imageKey, type AssetIdentity } from '../domain/object-key';
import type { ObjectStore } from '../object-store/object-store';
import { CLEANING, OBJECT_STORE } from '../tokens';

/** For all fetched images that are verified at the same time: one of the largest, or half a dozen of usual size. */
const IN_MEMORY_BYTES = 24 * 1024 * 1024;

export interface ImageSource {
  readonly sizeBytes: number;
  read(): Promise<Buffer>;
}

/**
 * Verifies an image and stores its bytes under a key that no upload address writes to. An upload address stays valid for two hours,
 * and an upload after the registration must not change what is measured.
 */
@Injectable()
export class ImageStorage {
  private readonly inMemory = new FairTurns({ capacity: IN_MEMORY_BYTES });

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLEANING) private readonly cleaning: CleaningSettings,
  ) {}

  /** Returns the asset to record, or the fault of the image. Bytes that are never recorded go with the report or with the cleaner. */
  async verifyAndStore(identity: AssetIdentity, origin: AssetOrigin, source: ImageSource): Promise<Asset | ImageFault> {
    if (source.sizeBytes > IMAGE_BYTES_MAX) return 'image_too_large';
    const work = async () => this.storeBytes(identity, origin, await source.read());
    return this.inMemory.run(identity.projectId, work, { weight: source.sizeBytes });
  }

  /** Whether the cleaner can have removed the bytes before they are recorded. It skips young assets. */
  async isRemovedByCleaner({ assetId, objectKey }: Asset): Promise<boolean> {
    if (mayStillBeRecorded(assetId, this.clock.now(), this.cleaning.graceMs)) return false;
    return (await this.objects.stat(objectKey)) === undefined;
  }

  /** Removes bytes that were stored and then not recorded. */
  async remove({ objectKey }: Asset): Promise<void> {
    await this.objects.remove(objectKey);
  }

  /** The asset to record for these bytes, or their fault. */
  inspect(identity: AssetIdentity, origin: AssetOrigin, bytes: Buffer): Asset | ImageFault {
    const facts = inspectImage(bytes);
    if (typeof facts === 'string') return facts;
    const sha256 = createHash('sha256').update(bytes).digest();
    return {
      ...identity,
      ...facts,
      origin,
      objectKey: imageKey(identity, sha256),
      sha256,
      sizeBytes: bytes.length,
      storedAt: this.clock.now(),
    };
  }

  async store({ objectKey, format }: Asset, bytes: Buffer): Promise<void> {
    await this.objects.put(objectKey, bytes, { contentType: CONTENT_TYPES[format], cacheControl: 'private, max-age=60' });
  }

  private async storeBytes(identity: AssetIdentity, origin: AssetOrigin, bytes: Buffer): Promise<Asset | ImageFault> {
    const asset = this.inspect(identity, origin, bytes);
    if (typeof asset !== 'string') await this.store(asset, bytes);
    return asset;
  }
}
