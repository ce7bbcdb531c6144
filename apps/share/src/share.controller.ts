import { Controller } from '@nestjs/common';
import { shareApi } from '@tire/contracts';
import { ShareService } from './share.service';

@Controller()
@shareApi.ShareServiceControllerMethods()
export class ShareController implements shareApi.ShareServiceController {
  constructor(private readonly shares: ShareService) {}

  getShare(request: shareApi.GetShareRequest): Promise<shareApi.GetShareResponse> {
    return this.shares.share(request);
  }

  publishReport(request: shareApi.PublishReportRequest): Promise<shareApi.PublishReportResponse> {
    return this.shares.publish(request);
  }

  revokeShare(request: shareApi.RevokeShareRequest): Promise<shareApi.RevokeShareResponse> {
    return this.shares.revoke(request);
  }

  reissueShare(request: shareApi.ReissueShareRequest): Promise<shareApi.ReissueShareResponse> {
    return this.shares.reissue(request);
  }

  discardReport(request: shareApi.DiscardReportRequest): Promise<shareApi.DiscardReportResponse> {
    return this.shares.discard(request);
  }
}
