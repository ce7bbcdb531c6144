import type { ledgerApi } from '@tire/contracts/grpc';
import { isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import { findAssetsInUse } from './asset-use.store';

/** Which assets reports still show. The assets service calls this before it deletes image bytes. */
@Injectable()
export class AssetUse {
  constructor(private readonly database: Database) {}

  async find({ keys }: ledgerApi.FindAssetsInUseRequest): Promise<ledgerApi.FindAssetsInUseResponse> {
    const valid = keys.filter(({ projectId, reportId, assetId }) => [projectId, reportId, assetId].every(isUuid));
    return { assetIds: await findAssetsInUse(this.database, valid) };
  }
}
