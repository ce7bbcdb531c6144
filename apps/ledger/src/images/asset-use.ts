import type { ledgerApi } from '@tire/contracts';
import { isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import { findInRevisions, findInSlots } from './asset-use.store';

/** Which images the record stands on. Asked before anything is removed, so whatever may be a reference is one. */
@Injectable()
export class AssetUse {
  constructor(private readonly database: Database) {}

  /** Slots first: an image is in the revision before it leaves its slot, so between the two looks none is missed. */
  find({ keys }: ledgerApi.FindAssetsInUseRequest): Promise<ledgerApi.FindAssetsInUseResponse> {
    const asked = keys.filter(({ projectId, reportId, assetId }) => [projectId, reportId, assetId].every(isUuid));
    return this.database.asSystem(async (tx) => {
      const inSlots = new Set(await findInSlots(tx, asked));
      const elsewhere = asked.filter(({ assetId }) => !inSlots.has(assetId.toLowerCase()));
      return { assetIds: [...inSlots, ...(await findInRevisions(tx, elsewhere))] };
    });
  }
}
