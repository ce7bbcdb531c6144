import { Injectable } from '@nestjs/common';
import { EVENTS, type FetchImage } from '@tire/contracts';
import { Outbox } from '@tire/eventing';
import type { AnalysisErrorCode } from '@tire/kernel';
import type { EntityManager } from 'typeorm';
import { AssetStore, type AssetRow } from './asset.store';
import { ImageKeeper } from './image-keeper';

/** The asset and the word about it leave in one transaction. Of a discarded report nothing is recorded or said. */
@Injectable()
export class FetchAnswers {
  constructor(
    private readonly assets: AssetStore,
    private readonly outbox: Outbox,
    private readonly keeper: ImageKeeper,
  ) {}

  /** Again: the row is there. */
  async storedBefore(work: FetchImage): Promise<void> {
    await this.say(work, () => Promise.resolve(''));
  }

  /** False when the image was not recorded: its bytes are nobody's then. */
  async stored(work: FetchImage, row: AssetRow): Promise<boolean> {
    let isRecorded = false;
    const isOpen = await this.say(work, async (tx) => {
      // The cleaner removes nothing under this lock. It did before where the slot had another image meanwhile: when the work comes again, the ledger says so.
      if (!(await this.keeper.isKept(row))) throw new Error('The cleaner removed the image before it was recorded');
      isRecorded = await this.assets.insert(tx, row);
      // Its id is another image's, and another address would not change that.
      return isRecorded ? '' : 'analysis_failed';
    });
    return isOpen && isRecorded;
  }

  async failed(work: FetchImage, errorCode: AnalysisErrorCode): Promise<void> {
    await this.say(work, () => Promise.resolve(errorCode));
  }

  private say(work: FetchImage, record: (tx: EntityManager) => Promise<AnalysisErrorCode | ''>): Promise<boolean> {
    const { projectId, reportId, slotId, assetId, analysisId } = work;
    return this.assets.unlessDiscarded(projectId, reportId, async (tx) => {
      const errorCode = await record(tx);
      await this.outbox.add(tx, EVENTS.imageFetched, { projectId, reportId, slotId, assetId, analysisId, errorCode });
    });
  }
}
