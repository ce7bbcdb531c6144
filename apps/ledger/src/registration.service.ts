import type { assetsApi, ledgerApi } from '@tire/contracts';
import { DomainError, isUuid, newId } from '@tire/kernel';
import { Database, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { registrationAnswer } from './domain/answers';
import { checkSlots } from './domain/creation';
import { holdsAsset } from './domain/decide';
import { isRefusal } from './domain/refusal';
import { slotState, type Report } from './domain/report';
import { analysisStatus } from './domain/status';
import { ReportCommands, refusalError } from './report.commands';
import { findReport } from './report.store';
import { ASSETS } from './tokens';

@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly commands: ReportCommands,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
  ) {}

  /** The assets are judged before the command, outside its transaction; what the report is by then is judged by the command. */
  async register({ projectId, reportId, images, replace }: ledgerApi.RegisterImagesRequest): Promise<ledgerApi.RegisterImagesResponse> {
    const report = await this.openReport(projectId, reportId);
    checkImages(report, images);
    const uploads = images.filter(({ slotId, assetId }) => !holdsAsset(slotState(report, slotId), assetId));
    if (uploads.length > 0) await this.verify({ projectId, reportId, uploads });
    const command = { type: 'registerImages' as const, replace, images: images.map((image) => ({ ...image, analysisId: newId() })) };
    const carried = await this.commands.execute(projectId, reportId, command);
    const answer = registrationAnswer(reportId, analysisStatus(carried.report), images, carried.events);
    return { responseJson: Buffer.from(JSON.stringify(answer)) };
  }

  private async openReport(projectId: string, reportId: string): Promise<Report> {
    if (!isUuid(reportId)) throw new DomainError('not_found');
    const state = await this.database.withProject(projectId, (tx) => findReport(tx, reportId));
    if (state.lifecycle === 'absent') throw new DomainError('not_found');
    return state.report;
  }

  /** Whatever is wrong with an upload, the public contract names the field without its index. */
  private async verify(request: assetsApi.RegisterUploadsRequest): Promise<void> {
    try {
      await this.assets.registerUploads(request);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'validation_error') throw error;
      throw new DomainError(error.code, { param: 'asset_id', message: error.message, cause: error });
    }
  }
}

function checkImages(report: Report, images: readonly ledgerApi.RegisteredImage[]): void {
  const checked = checkSlots(
    report.identity.template,
    images.map(({ slotId }) => slotId),
  );
  if (isRefusal(checked)) throw refusalError(checked);
  const malformed = images.findIndex(({ assetId }) => !isUuid(assetId));
  if (malformed >= 0) throw new DomainError('validation_error', { param: `images[${malformed}].asset_id` });
}
