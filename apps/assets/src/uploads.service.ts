import { Inject, Injectable } from '@nestjs/common';
import type { assetsApi } from '@tire/contracts';
import { DomainError, isUuid, newId, type Clock } from '@tire/kernel';
import { AssetStore, type AssetRow } from './asset.store';
import { judgeCacheControl } from './domain/cache-control';
import { mayStillBeRecorded } from './domain/cleaning';
import { CONTENT_TYPES } from './domain/image-content';
import { uploadKey, type AssetIdentity } from './domain/object-key';
import { refusalText } from './domain/registration';
import { UPLOAD_LIFETIME_SECONDS } from './domain/upload-lifetime';
import { ImageKeeper } from './image-keeper';
import { limited } from './limited';
import { OBJECT_STORE, readWhole, type ObjectStore } from './object-store/object-store';
import { CLEANING, CLOCK, type CleaningSettings } from './tokens';

const READ_LIFETIME_SECONDS = 600;
const REQUIRED_HEADERS = { 'Cache-Control': 'max-age=60' };
/** Two whole reports. Each has an upload open, of which little is in memory before the keeper reads it. */
const VERIFICATIONS_AT_ONCE = 16;

@Injectable()
export class UploadsService {
  private readonly inTurn = limited(VERIFICATIONS_AT_ONCE);

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly assets: AssetStore,
    private readonly keeper: ImageKeeper,
    @Inject(CLEANING) private readonly cleaning: CleaningSettings,
  ) {}

  /**
   * A target is a signature over the name of one object: nothing is written, and nothing asked, until bytes arrive. The ledger asks
   * for open reports only; what is put at a target that a discard overtook is refused at registration and swept.
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

  /** All or none: the first upload that breaks a condition refuses the registration, and nothing of it is recorded. */
  async register({ projectId, reportId, uploads }: assetsApi.RegisterUploadsRequest): Promise<assetsApi.RegisterUploadsResponse> {
    if (await this.assets.isDiscarded(projectId, reportId)) throw new DomainError('report_discarded');
    // In one order whatever the caller's, so that two registrations of the same assets wait for each other and not both.
    const inOrder = uploads.toSorted((a, b) => (a.assetId < b.assetId ? -1 : 1));
    const verified = await Promise.all(inOrder.map((upload) => this.inTurn(() => this.verified({ projectId, reportId, ...upload }))));
    const recorded = await this.assets.unlessDiscarded(projectId, reportId, async (tx) => {
      for (const { row, isKnown } of verified) {
        const isRecorded = await (isKnown ? this.assets.claim(tx, row) : this.assets.insert(tx, row));
        if (!isRecorded) throw refuse('missing');
      }
    });
    if (recorded) return {};
    await Promise.all(verified.filter(({ isKnown }) => !isKnown).map(({ row }) => this.keeper.forget(row)));
    throw new DomainError('report_discarded');
  }

  async signRead({ projectId, assetId }: assetsApi.SignReadRequest): Promise<assetsApi.SignReadResponse> {
    const asset = isUuid(assetId) ? await this.assets.findReadable(projectId, assetId) : undefined;
    if (!asset) throw new DomainError('not_found');
    const { objectKey, format, orientation, widthPx, heightPx } = asset;
    const url = await this.objects.signGet(objectKey, READ_LIFETIME_SECONDS);
    const expiresAt = new Date(this.clock.now().getTime() + READ_LIFETIME_SECONDS * 1000).toISOString();
    return { url, expiresAt, contentType: CONTENT_TYPES[format], orientation, widthPx, heightPx };
  }

  /** The row to record, or the one that is recorded already. */
  private async verified(identity: AssetIdentity): Promise<{ row: AssetRow; isKnown: boolean }> {
    const known = await this.assets.findExactly(identity);
    if (known && (await this.wasUploaded(known))) return { row: known, isKnown: true };
    if (known) throw refuse('fetched');
    if (!mayStillBeRecorded(identity.assetId, this.clock.now(), this.cleaning.graceMs)) throw refuse('expired');
    const uploaded = await this.objects.open(uploadKey(identity));
    if (!uploaded) throw refuse('missing');
    const verdict = judgeCacheControl(uploaded.cacheControl);
    if (!verdict.accepted) {
      uploaded.body.destroy();
      throw refuse('cache_control');
    }
    try {
      const kept = await this.keeper.keep(identity, 'upload', { sizeBytes: uploaded.sizeBytes, read: () => readWhole(uploaded) });
      if (typeof kept === 'string') throw refuse(kept);
      return { row: kept, isKnown: false };
    } finally {
      uploaded.body.destroy();
    }
  }

  /** Where the row does not say it, the store does: under the key of an upload lies nothing that was fetched. */
  private async wasUploaded(asset: AssetRow): Promise<boolean> {
    return asset.origin ? asset.origin === 'upload' : (await this.objects.stat(uploadKey(asset))) !== undefined;
  }
}

const refuse = (reason: Parameters<typeof refusalText>[0]): DomainError =>
  new DomainError('validation_error', { param: 'asset_id', message: refusalText(reason) });
