import { Controller } from '@nestjs/common';
import { contentApi } from '@tire/contracts/grpc';
import { ContentService } from './content.service';
import { ExplanationService } from '../explanations/explanation.service';

@Controller()
@contentApi.ContentServiceControllerMethods()
export class ContentController implements contentApi.ContentServiceController {
  constructor(
    private readonly content: ContentService,
    private readonly explanation: ExplanationService,
  ) {}

  getContentRevision(request: contentApi.GetContentRevisionRequest): Promise<contentApi.GetContentRevisionResponse> {
    return this.content.contentRevision(request.projectId, request.reportId, request.contentRevision);
  }

  explainContent(request: contentApi.ExplainContentRequest): Promise<contentApi.ExplainContentResponse> {
    return this.explanation.explain(request);
  }

  async discardReport(request: contentApi.DiscardReportRequest): Promise<contentApi.DiscardReportResponse> {
    await this.content.discard(request.projectId, request.reportId);
    return {};
  }
}
