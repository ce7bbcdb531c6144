import { Inject, Injectable } from '@nestjs/common';
import type { assetsApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, isUuid, newId, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { type Asset, claimAsset, findAsset, findReadable, insertAsset, isDiscarded, lockUnlessDiscarded } from '../assets/asset.store';
import type { CleaningSettings } from '../config';
import { judgeCacheControl } from '../domain/cache-control';
import { mayStillBeRecorded } from '../domain/cleaning';
import { CONTENT_TYPES } from '../domain/images/image-content';
import { uploadKey, type AssetIdentity } from '../domain/object-key';
import { refusalText } from '../domain/registration';
import { UPLOAD_LIFETIME_SECONDS } from '../domain/upload-lifetime';
import { ImageStorage } from '../images/image-storage';
import { limited } from '../images/limited';
import { readWhole, type ObjectStore } from '../object-store/object-store';
import { CLEANING, OBJECT_STORE } from '../tokens';

const READ_LIFETIME_SECONDS = 600;
const REQUIRED_HEADERS = { 'Cache-Control': 'max-age=60' };
/** The images of two reports. Each verification holds an open upload, but not its bytes, before it is its turn. */
const VERIFICATIONS_AT_ONCE = 16;

@Injectable()
export class UploadsService {
  private readonly limit = limited(VERIFICATIONS_AT_ONCE);

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly database: Database,
    private readonly images: ImageStorage,
    @Inject(CLEANING) private readonly cleaning: CleaningSettings,
  ) {}

  /**
   * A target is a signature over the key of one object; nothing is written before the upload. The ledger requests targets for open
   * reports only. If the report is discarded meanwhile, registration refuses the upload and the sweeper removes it.
   */
  async issueTargets({ projectId, reportId, slotIds }: assetsApi.IssueTargetsRequest): Promise<assetsApi.IssueTargetsResponse> {
    const expiresAt = new Date(this.clock.now().getTime() + UPLOAD_LIFETIME_SECONDS * 1000).toISOString();
    const issue = async (slotId: string): Promise<assetsApi.UploadTarget> => {
      const assetId = newId();
      const uploadUrl = await this.objects.signPut(uploadKey({ projectId, reportId, slotId, assetId }), UPLOAD_LIFETIME_SECONDS);
      return { assetId, slotId, uploadUrl, requiredHeaders: REQUIRED_HEADERS, expiresAt };
    };
    return { targets: await Promise.all(slotIds.map(issue)) };
  }

  /** All or none: one refused upload refuses the registration, and no asset is recorded. */
  async register({ projectId, reportId, uploads }: assetsApi.RegisterUploadsRequest): Promise<assetsApi.RegisterUploadsResponse> {
    if (await isDiscarded(this.database, projectId, reportId)) throw new DomainError('report_discarded');
    // In the order of the ids, so that two registrations of the same assets do not deadlock.
    const inOrder = uploads.toSorted((a, b) => (a.assetId < b.assetId ? -1 : 1));
    const verified = await Promise.all(inOrder.map((upload) => this.limit(() => this.verify({ projectId, reportId, ...upload }))));
    const isOpen = await this.database.withProject(projectId, async (tx) => {
      if (!(await lockUnlessDiscarded(tx, reportId))) return false;
      for (const { asset, isRecorded } of verified) {
        const succeeded = await (isRecorded ? claimAsset(tx, asset.assetId) : insertAsset(tx, asset));
        if (!succeeded) throw refuse('missing');
      }
      return true;
    });
    if (isOpen) return {};
    await Promise.all(verified.filter(({ isRecorded }) => !isRecorded).map(({ asset }) => this.images.remove(asset)));
    throw new DomainError('report_discarded');
  }

  async signRead({ projectId, assetId }: assetsApi.SignReadRequest): Promise<assetsApi.SignReadResponse> {
    const asset = isUuid(assetId) ? await findReadable(this.database, projectId, assetId) : undefined;
    if (!asset) throw new DomainError('not_found');
    const { objectKey, format, orientation, widthPx, heightPx } = asset;
    const url = await this.objects.signGet(objectKey, READ_LIFETIME_SECONDS);
    const expiresAt = new Date(this.clock.now().getTime() + READ_LIFETIME_SECONDS * 1000).toISOString();
    return { url, expiresAt, contentType: CONTENT_TYPES[format], orientation, widthPx, heightPx };
  }

  /** The asset to record, or the one that is recorded already. */
  private async verify(identity: AssetIdentity): Promise<{ asset: Asset; isRecorded: boolean }> {
    const recorded = await findAsset(this.database, identity);
    if (recorded && (await this.wasUploaded(recorded))) return { asset: recorded, isRecorded: true };
    if (recorded) throw refuse('fetched');
    if (!mayStillBeRecorded(identity.assetId, this.clock.now(), this.cleaning.graceMs)) throw refuse('expired');
    const uploaded = await this.objects.open(uploadKey(identity));
    if (!uploaded) throw refuse('missing');
    const verdict = judgeCacheControl(uploaded.cacheControl);
    if (!verdict.accepted) {
      uploaded.body.destroy();
      throw refuse('cache_control');
    }
    try {
      const asset = await this.images.verifyAndStore(identity, 'upload', {
        sizeBytes: uploaded.sizeBytes,
        read: () => readWhole(uploaded),
      });
      if (typeof asset === 'string') throw refuse(asset);
      return { asset, isRecorded: false };
    } finally {
      uploaded.body.destroy();
    }
  }

  /** A row without an origin is an upload if there is an object at its upload key: fetched images are not written there. */
  private async wasUploaded(asset: Asset): Promise<boolean> {
    return asset.origin ? asset.origin === 'upload' : (await this.objects.stat(uploadKey(asset))) !== undefined;
  }
}

const refuse = (reason: Parameters<typeof refusalText>[0]): DomainError =>
  new DomainError('validation_error', { param: 'asset_id', message: refusalText(reason) });
