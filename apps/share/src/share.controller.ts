import { Controller } from '@nestjs/common';
import { shareApi } from '@tire/contracts';
import { ShareService } from './share.service';

@Controller()
@shareApi.ShareServiceControllerMethods()
export class ShareController implements shareApi.ShareServiceController {
  constructor(private readonly shares: ShareService) {}

  getShare(request: shareApi.GetShareRequest): Promise<shareApi.GetShareResponse> {
    return this.shares.share(request.projectId, request.reportId);
  }
}
