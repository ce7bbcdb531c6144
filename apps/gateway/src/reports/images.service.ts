import type { AnalyzeRequest, RegisterImagesRequest, UploadTargetsRequest } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';
import { slotId } from '@tire/kernel';
import { LEDGER } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { HttpResponse } from '../edge/response';

/** Longer than for other calls: every registered image is verified. */
const REGISTRATION_DEADLINE_MS = 30_000;

/** Uploads, registrations and analyses of the slots of a report. */
@Injectable()
export class ImagesService {
  constructor(@Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {}

  async createUploadTargets(
    projectId: string,
    reportId: string,
    { slots }: UploadTargetsRequest,
    captureDigest?: Buffer,
  ): Promise<HttpResponse> {
    const slotIds = slots.map(({ slot }) => slotId(slot));
    const { responseJson } = await this.ledger.issueUploadTargets({ projectId, reportId, slotIds, captureDigest });
    return new HttpResponse(responseJson);
  }

  async register(
    projectId: string,
    reportId: string,
    request: RegisterImagesRequest,
    { replace, captureDigest }: { readonly replace: boolean; readonly captureDigest?: Buffer | undefined },
  ): Promise<HttpResponse> {
    const images = request.images.map(({ asset_id, slot }) => ({ slotId: slotId(slot), assetId: asset_id.toLowerCase() }));
    const { responseJson } = await this.ledger.registerImages(
      { projectId, reportId, images, replace, captureDigest },
      { deadlineMs: REGISTRATION_DEADLINE_MS },
    );
    return new HttpResponse(responseJson);
  }

  async analyze(projectId: string, reportId: string, { slots }: AnalyzeRequest): Promise<HttpResponse> {
    const slotIds = (slots ?? []).map(({ slot }) => slotId(slot));
    const { responseJson } = await this.ledger.analyzeSlots({ projectId, reportId, slotIds });
    return new HttpResponse(responseJson);
  }
}
