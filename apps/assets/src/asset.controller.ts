import { Controller } from '@nestjs/common';
import { assetsApi } from '@tire/contracts';
import { UploadsService } from './uploads.service';

@Controller()
@assetsApi.AssetServiceControllerMethods()
export class AssetController implements assetsApi.AssetServiceController {
  constructor(private readonly uploads: UploadsService) {}

  issueTargets(request: assetsApi.IssueTargetsRequest): Promise<assetsApi.IssueTargetsResponse> {
    return this.uploads.issueTargets(request);
  }

  registerUploads(request: assetsApi.RegisterUploadsRequest): Promise<assetsApi.RegisterUploadsResponse> {
    return this.uploads.register(request);
  }

  signRead(request: assetsApi.SignReadRequest): Promise<assetsApi.SignReadResponse> {
    return this.uploads.signRead(request);
  }
}
