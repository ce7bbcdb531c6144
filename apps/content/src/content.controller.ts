import { Controller } from '@nestjs/common';
import { contentApi } from '@tire/contracts';
import { ContentService } from './content.service';

@Controller()
@contentApi.ContentServiceControllerMethods()
export class ContentController implements contentApi.ContentServiceController {
  constructor(private readonly content: ContentService) {}

  getContentRevision(request: contentApi.GetContentRevisionRequest): Promise<contentApi.GetContentRevisionResponse> {
    return this.content.contentRevision(request.projectId, request.reportId, request.contentRevision);
  }

  async discardReport(request: contentApi.DiscardReportRequest): Promise<contentApi.DiscardReportResponse> {
    await this.content.discard(request.projectId, request.reportId);
    return {};
  }
}
