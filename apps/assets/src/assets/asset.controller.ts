import { Controller } from '@nestjs/common';
import { assetsApi } from '@tire/contracts/grpc';
import { DiscardService } from '../discards/discard.service';
import { DisplayService } from '../display/display.service';
import { LogoService } from '../display/logo.service';
import { ExportFilesService } from '../exports/export-files.service';
import { UploadsService } from '../uploads/uploads.service';

@Controller()
@assetsApi.AssetServiceControllerMethods()
export class AssetController implements assetsApi.AssetServiceController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly display: DisplayService,
    private readonly logos: LogoService,
    private readonly discards: DiscardService,
    private readonly exports: ExportFilesService,
  ) {}

  issueTargets(request: assetsApi.IssueTargetsRequest): Promise<assetsApi.IssueTargetsResponse> {
    return this.uploads.issueTargets(request);
  }

  registerUploads(request: assetsApi.RegisterUploadsRequest): Promise<assetsApi.RegisterUploadsResponse> {
    return this.uploads.register(request);
  }

  signRead(request: assetsApi.SignReadRequest): Promise<assetsApi.SignReadResponse> {
    return this.uploads.signRead(request);
  }

  signDisplay(request: assetsApi.SignDisplayRequest): Promise<assetsApi.SignDisplayResponse> {
    return this.display.sign(request);
  }

  signPageImages(request: assetsApi.SignPageImagesRequest): Promise<assetsApi.SignPageImagesResponse> {
    return this.display.signForPage(request);
  }

  storeLogo(request: assetsApi.StoreLogoRequest): Promise<assetsApi.StoreLogoResponse> {
    return this.logos.store(request);
  }

  signLogo(request: assetsApi.SignLogoRequest): Promise<assetsApi.SignLogoResponse> {
    return this.logos.sign(request);
  }

  async removeLogo(request: assetsApi.RemoveLogoRequest): Promise<assetsApi.RemoveLogoResponse> {
    await this.logos.remove(request);
    return {};
  }

  countReportData(request: assetsApi.CountReportDataRequest): Promise<assetsApi.CountReportDataResponse> {
    return this.discards.count(request);
  }

  signExportUpload(request: assetsApi.SignExportUploadRequest): Promise<assetsApi.SignExportUploadResponse> {
    return this.exports.signUpload(request);
  }

  signExportRead(request: assetsApi.SignExportReadRequest): Promise<assetsApi.SignExportReadResponse> {
    return this.exports.signRead(request);
  }

  deliverExport(request: assetsApi.DeliverExportRequest): Promise<assetsApi.DeliverExportResponse> {
    return this.exports.deliver(request);
  }

  async removeExport(request: assetsApi.RemoveExportRequest): Promise<assetsApi.RemoveExportResponse> {
    await this.exports.remove(request);
    return {};
  }

  async discardReport(request: assetsApi.DiscardReportRequest): Promise<assetsApi.DiscardReportResponse> {
    await this.discards.discard(request);
    return {};
  }
}
