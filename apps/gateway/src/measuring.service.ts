import type { AnalyzeRequest, ledgerApi, RegisterImagesRequest, UploadTargetsRequest } from '@tire/contracts';
import { slotId } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { json, type Answer } from './answer';
import { LEDGER } from './tokens';

/** Longer than other calls may take: every photograph that is registered is verified. */
const REGISTRATION_DEADLINE_MS = 30_000;

/** What is asked of the slots of a report: where to upload, what was uploaded, what to measure again. */
@Injectable()
export class MeasuringService {
  constructor(@Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {}

  async uploadTargets(projectId: string, reportId: string, { slots }: UploadTargetsRequest): Promise<Answer> {
    const slotIds = slots.map(({ slot }) => slotId(slot));
    const { responseJson } = await this.ledger.issueUploadTargets({ projectId, reportId, slotIds });
    return json(201, responseJson);
  }

  async images(projectId: string, reportId: string, request: RegisterImagesRequest, replace: boolean): Promise<Answer> {
    const images = request.images.map(({ asset_id, slot }) => ({ slotId: slotId(slot), assetId: asset_id.toLowerCase() }));
    const { responseJson } = await this.ledger.registerImages(
      { projectId, reportId, images, replace },
      { deadlineMs: REGISTRATION_DEADLINE_MS },
    );
    return json(202, responseJson);
  }

  async analyze(projectId: string, reportId: string, { slots }: AnalyzeRequest): Promise<Answer> {
    const slotIds = (slots ?? []).map(({ slot }) => slotId(slot));
    const { responseJson } = await this.ledger.analyzeSlots({ projectId, reportId, slotIds });
    return json(202, responseJson);
  }
}
