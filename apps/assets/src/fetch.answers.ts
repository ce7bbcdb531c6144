import { Injectable } from '@nestjs/common';
import { EVENTS, type FetchImage } from '@tire/contracts';
import { Outbox } from '@tire/eventing';
import type { AnalysisErrorCode } from '@tire/kernel';
import { AssetStore, type AssetRow } from './asset.store';

/** The asset and the word about it leave in one transaction. Of a discarded report nothing is recorded or said: the answer is then false. */
@Injectable()
export class FetchAnswers {
  constructor(
    private readonly assets: AssetStore,
    private readonly outbox: Outbox,
  ) {}

  stored(work: FetchImage, row?: AssetRow): Promise<boolean> {
    return this.answer(work, '', row);
  }

  failed(work: FetchImage, errorCode: AnalysisErrorCode): Promise<boolean> {
    return this.answer(work, errorCode);
  }

  private answer(work: FetchImage, errorCode: string, row?: AssetRow): Promise<boolean> {
    const { projectId, reportId, slotId, assetId, analysisId } = work;
    return this.assets.unlessDiscarded(projectId, reportId, async (tx) => {
      if (row) await this.assets.insert(tx, row);
      await this.outbox.add(tx, EVENTS.imageFetched, { projectId, reportId, slotId, assetId, analysisId, errorCode });
    });
  }
}
