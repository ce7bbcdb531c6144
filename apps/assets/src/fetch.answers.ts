import { Injectable } from '@nestjs/common';
import { EVENTS, type FetchImage } from '@tire/contracts';
import { Outbox } from '@tire/eventing';
import type { AnalysisErrorCode } from '@tire/kernel';
import { Database } from '@tire/platform';
import { AssetStore, type AssetRow } from './asset.store';

/** The asset and the word about it leave in one transaction. */
@Injectable()
export class FetchAnswers {
  constructor(
    private readonly database: Database,
    private readonly assets: AssetStore,
    private readonly outbox: Outbox,
  ) {}

  stored(work: FetchImage, row?: AssetRow): Promise<void> {
    return this.answer(work, '', row);
  }

  failed(work: FetchImage, errorCode: AnalysisErrorCode): Promise<void> {
    return this.answer(work, errorCode);
  }

  private answer({ projectId, reportId, slotId, assetId }: FetchImage, errorCode: string, row?: AssetRow): Promise<void> {
    return this.database.withProject(projectId, async (tx) => {
      if (row) await this.assets.insert(tx, row);
      await this.outbox.add(tx, EVENTS.imageFetched, { projectId, reportId, slotId, assetId, errorCode });
    });
  }
}
