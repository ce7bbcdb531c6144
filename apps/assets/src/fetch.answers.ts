import { Injectable } from '@nestjs/common';
import { EVENTS, type FetchImage, type ImageFetched } from '@tire/contracts';
import { Outbox } from '@tire/eventing';
import type { AnalysisErrorCode } from '@tire/kernel';
import type { EntityManager } from 'typeorm';
import { AssetStore, type AssetRow } from './asset.store';
import { ImageKeeper } from './image-keeper';

const answer = ({ projectId, reportId, slotId, assetId, analysisId }: FetchImage, errorCode: AnalysisErrorCode | ''): ImageFetched => ({
  projectId,
  reportId,
  slotId,
  assetId,
  analysisId,
  errorCode,
});

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
    if (this.keeper.isYoung(row) && (await this.assets.insertNew(row, this.outbox, answer(work, '')))) return true;
    let isRecorded = false;
    const isOpen = await this.say(work, async (tx) => {
      isRecorded = await this.record(tx, row);
      // Its id is another image's, and another address would not change that.
      return isRecorded ? '' : 'analysis_failed';
    });
    return isOpen && isRecorded;
  }

  async failed(work: FetchImage, errorCode: AnalysisErrorCode): Promise<void> {
    await this.say(work, () => Promise.resolve(errorCode));
  }

  /**
   * Under this lock the cleaner removes nothing that has a row. It was before the row where the slot had another image meanwhile: when
   * the work comes again, the ledger says so.
   */
  private async record(tx: EntityManager, row: AssetRow): Promise<boolean> {
    if (!this.keeper.isYoung(row) && !(await this.keeper.isKept(row)))
      throw new Error('The cleaner removed the image before it was recorded');
    return this.assets.insert(tx, row);
  }

  private say(work: FetchImage, record: (tx: EntityManager) => Promise<AnalysisErrorCode | ''>): Promise<boolean> {
    return this.assets.unlessDiscarded(work.projectId, work.reportId, async (tx) =>
      this.outbox.add(tx, EVENTS.imageFetched, answer(work, await record(tx))),
    );
  }
}
