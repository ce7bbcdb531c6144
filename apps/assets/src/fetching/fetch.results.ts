import { Injectable } from '@nestjs/common';
import { EVENTS, type FetchImage, type ImageFetched } from '@tire/contracts/events';
import { Outbox } from '@tire/eventing';
import type { AnalysisErrorCode } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { insertAsset, lockUnlessDiscarded, type Asset } from '../assets/asset.store';
import { ImageStorage } from '../images/image-storage';

/** The digest of the stored bytes, or why there are none. */
type Fetched = { readonly sha256: Buffer } | { readonly errorCode: AnalysisErrorCode };

const imageFetched = ({ projectId, reportId, slotId, assetId, analysisId }: FetchImage, fetched: Fetched): ImageFetched => ({
  projectId,
  reportId,
  slotId,
  assetId,
  analysisId,
  errorCode: 'errorCode' in fetched ? fetched.errorCode : '',
  sha256: 'sha256' in fetched ? fetched.sha256.toString('hex') : undefined,
});

/** Records the result of a fetch and publishes it in one transaction. For a discarded report it does neither. */
@Injectable()
export class FetchResults {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly images: ImageStorage,
  ) {}

  /** Publishes the result of an asset that was recorded before. */
  async publishStored(work: FetchImage, sha256: Buffer): Promise<void> {
    await this.publish(work, () => Promise.resolve({ sha256 }));
  }

  async publishFailed(work: FetchImage, errorCode: AnalysisErrorCode): Promise<void> {
    await this.publish(work, () => Promise.resolve({ errorCode }));
  }

  /** False where the asset was not recorded: then its bytes belong to no asset. */
  async recordStored(work: FetchImage, asset: Asset): Promise<boolean> {
    let isRecorded = false;
    await this.publish(work, async (tx) => {
      // The lock keeps the cleaner away from here on. It may have come first where the slot had another image meanwhile; then the
      // message is delivered again and the ledger decides.
      if (await this.images.isRemovedByCleaner(asset)) throw new Error('The cleaner removed the image before it was recorded');
      isRecorded = await insertAsset(tx, asset);
      // The id belongs to another image, which another address would not change.
      return isRecorded ? { sha256: asset.sha256 } : { errorCode: 'analysis_failed' };
    });
    return isRecorded;
  }

  private async publish(work: FetchImage, record: (tx: Tx) => Promise<Fetched>): Promise<void> {
    await this.database.withProject(work.projectId, async (tx) => {
      if (!(await lockUnlessDiscarded(tx, work.reportId))) return;
      await this.outbox.add(tx, EVENTS.imageFetched, imageFetched(work, await record(tx)));
    });
  }
}
