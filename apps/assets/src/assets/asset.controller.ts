import { Controller } from '@nestjs/common';
import { assetsApi } from '@tire/contracts/grpc';
import { DiscardService } from '../discards/discard.service';
import { DisplayService } from '../display/display.service';
import { UploadsService } from '../uploads/uploads.service';

@Controller()
@assetsApi.AssetServiceControllerMethods()
export class AssetController implements assetsApi.AssetServiceController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly display: DisplayService,
    private readonly discards: DiscardService,
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

  async discardReport(request: assetsApi.DiscardReportRequest): Promise<assetsApi.DiscardReportResponse> {
    await this.discards.discard(request);
    return {};
  }
}
