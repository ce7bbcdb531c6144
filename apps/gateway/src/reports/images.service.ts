import type { AnalyzeRequest, RegisterImagesRequest, UploadTargetsRequest } from '@tire/contracts/api';
import type { CaptureImages } from '@tire/contracts/capture';
import type { ledgerApi } from '@tire/contracts/grpc';
import { slotId } from '@tire/kernel';
import { LEDGER } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { CaptureCaller } from '../edge/callers';
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

  register(projectId: string, reportId: string, request: RegisterImagesRequest, replace: boolean): Promise<HttpResponse> {
    const images = request.images.map(({ asset_id, slot }) => ({ slotId: slotId(slot), assetId: asset_id.toLowerCase() }));
    return this.registered({ projectId, reportId, images, replace });
  }

  registerCaptured({ projectId, reportId, captureDigest }: CaptureCaller, request: CaptureImages): Promise<HttpResponse> {
    const images = request.images.map(({ asset_id, slot, replaces_asset_id }) => ({
      slotId: slotId(slot),
      assetId: asset_id.toLowerCase(),
      replacesAssetId: replaces_asset_id === null ? '' : replaces_asset_id?.toLowerCase(),
    }));
    return this.registered({ projectId, reportId, images, replace: false, captureDigest });
  }

  private async registered(request: ledgerApi.RegisterImagesRequest): Promise<HttpResponse> {
    const { responseJson } = await this.ledger.registerImages(request, { deadlineMs: REGISTRATION_DEADLINE_MS });
    return new HttpResponse(responseJson);
  }

  async analyze(projectId: string, reportId: string, { slots }: AnalyzeRequest): Promise<HttpResponse> {
    const slotIds = (slots ?? []).map(({ slot }) => slotId(slot));
    const { responseJson } = await this.ledger.analyzeSlots({ projectId, reportId, slotIds });
    return new HttpResponse(responseJson);
  }
}
