import type { assetsApi, ledgerApi } from '@tire/contracts/grpc';
import { ALL_SLOTS, CLOCK, type Clock, DomainError, fault, isUuid, newId, refuseFaulty, slotId, type SlotId } from '@tire/kernel';
import { ASSETS } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { analyzeAnswer, registrationAnswer, targetsAnswer } from '../domain/answers';
import { judgeCapture } from '../domain/capture';
import { checkSlots } from '../domain/creation';
import { slotState, type Report } from '../domain/report';
import { holdsAsset } from '../domain/slot';
import { knownSha256 } from '../domain/warnings';
import { ReportCommands, orThrow, refusalError } from '../reports/report.commands';
import { issueTargets } from '../images/upload-targets';

/** Longer than for a read: the assets service reads all images of a report from the object store, and copies them to another key. */
const VERIFICATION_DEADLINE_MS = 20_000;

/** The derivative is made at its first use, which takes time. */
const DISPLAY_DEADLINE_MS = 15_000;

/** The operations of callers on the slots of a report. */
@Injectable()
export class MeasuringService {
  constructor(
    private readonly commands: ReportCommands,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async mutability({ projectId, reportId }: ledgerApi.GetMutabilityRequest): Promise<ledgerApi.GetMutabilityResponse> {
    await this.commands.mutable(projectId, reportId);
    return {};
  }

  /** A target has an effect only after its bytes are uploaded and registered. */
  async issueTargets(request: ledgerApi.IssueUploadTargetsRequest): Promise<ledgerApi.IssueUploadTargetsResponse> {
    const { projectId, reportId, slotIds, captureDigest } = request;
    const report = await this.commands.mutable(projectId, reportId);
    const refusal = judgeCapture(report, captureDigest, this.clock.now());
    if (refusal) throw refusalError(refusal);
    const { slotIds: checked } = orThrow(checkSlots(report.identity.template, slotIds, 'slots'));
    return { responseJson: printed(targetsAnswer(reportId, await issueTargets(this.assets, report.identity, checked))) };
  }

  /**
   * An address of the derivative, which has no metadata: members see what visitors see. Only for an asset that the report shows now: an
   * asset id of another report is not found.
   */
  async image({ projectId, reportId, assetId }: ledgerApi.SignImageRequest): Promise<ledgerApi.SignImageResponse> {
    const { slots } = await this.commands.served(projectId, reportId);
    if (!slots.some(({ state }) => holdsAsset(state, assetId))) throw new DomainError('not_found');
    const { url, expiresAt, orientation } = await this.assets.signDisplay({ projectId, assetId }, { deadlineMs: DISPLAY_DEADLINE_MS });
    return { url, expiresAt, orientation, contentType: 'image/jpeg' };
  }

  async analyze({ projectId, reportId, slotIds }: ledgerApi.AnalyzeSlotsRequest): Promise<ledgerApi.AnalyzeSlotsResponse> {
    const attemptIds = Object.fromEntries(ALL_SLOTS.map((slot) => [slotId(slot), newId()])) as Record<SlotId, string>;
    const { report, events } = await this.commands.change(projectId, reportId, { type: 'analyze', slotIds, attemptIds });
    return { responseJson: printed(analyzeAnswer(report, events)) };
  }

  /**
   * Uploads are verified before the command, outside its transaction, and none of a command that is refused anyway. The command then checks
   * the state that the report has by that time.
   */
  async register({
    projectId,
    reportId,
    replace,
    captureDigest,
    ...request
  }: ledgerApi.RegisterImagesRequest): Promise<ledgerApi.RegisterImagesResponse> {
    const report = await this.commands.mutable(projectId, reportId);
    // A uuid in capitals is the same uuid. An asset that the slot has already is not measured again.
    const images = request.images.map(({ slotId, assetId, replacesAssetId }) => ({
      slotId,
      assetId: assetId.toLowerCase(),
      replaces: replacesAssetId === '' ? null : replacesAssetId,
    }));
    checkImages(report, images);
    const attempts = images.map((image) => ({ ...image, analysisId: newId() }));
    const command = { type: 'registerImages' as const, replace, captureDigest, images: attempts, revisionId: newId() };
    this.commands.check(report, command);
    const uploads = images.filter(({ slotId, assetId }) => !holdsAsset(slotState(report, slotId), assetId));
    const places = images.flatMap((image, index) => (uploads.includes(image) ? [`images[${index}].asset_id`] : []));
    const digests = uploads.length > 0 ? await this.verify({ projectId, reportId, uploads }, places) : new Map<string, string>();
    const verified = attempts.map((attempt) => ({ ...attempt, sha256: knownSha256(digests.get(attempt.assetId)) }));
    const carried = await this.commands.change(projectId, reportId, { ...command, images: verified });
    return { responseJson: printed(registrationAnswer(carried.report, images, carried.events)) };
  }

  /**
   * The SHA-256 of each asset. For any fault of an upload, the param of the public contract is the field without its index. The list of
   * faults has the place of each in the request of the caller, who may have sent more assets than are verified.
   */
  private async verify(request: assetsApi.RegisterUploadsRequest, places: readonly string[]): Promise<ReadonlyMap<string, string>> {
    try {
      const { uploads } = await this.assets.registerUploads(request, { deadlineMs: VERIFICATION_DEADLINE_MS });
      return new Map(uploads.map(({ assetId, sha256 }) => [assetId, sha256]));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'validation_error') throw error;
      const faults = error.faults.map(({ param, message }) => ({ param: placeOf(param, places), message }));
      throw new DomainError(error.code, { param: 'asset_id', message: error.message, faults, cause: error });
    }
  }
}

const placeOf = (param: string | null, places: readonly string[]): string => {
  const index = /^uploads\[(\d+)\]/.exec(param ?? '')?.[1];
  return (index === undefined ? undefined : places[Number(index)]) ?? 'asset_id';
};

const printed = (answer: object): Buffer => Buffer.from(JSON.stringify(answer));

function checkImages(report: Report, images: readonly ledgerApi.RegisteredImage[]): void {
  orThrow(
    checkSlots(
      report.identity.template,
      images.map(({ slotId }) => slotId),
      'images',
    ),
  );
  refuseFaulty(images.flatMap(({ assetId }, index) => (isUuid(assetId) ? [] : [fault(`images[${index}].asset_id`, 'is no id.')])));
}
