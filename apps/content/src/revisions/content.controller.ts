import { Controller } from '@nestjs/common';
import { contentApi } from '@tire/contracts/grpc';
import { ContentService } from './content.service';
import { ExplanationService } from '../explanations/explanation.service';
import { TranslationService } from '../translations/translation.service';

@Controller()
@contentApi.ContentServiceControllerMethods()
export class ContentController implements contentApi.ContentServiceController {
  constructor(
    private readonly content: ContentService,
    private readonly explanation: ExplanationService,
    private readonly translations: TranslationService,
  ) {}

  getContentRevision(request: contentApi.GetContentRevisionRequest): Promise<contentApi.GetContentRevisionResponse> {
    return this.content.contentRevision(request.projectId, request.reportId, request.contentRevision);
  }

  getTranslation(request: contentApi.GetTranslationRequest): Promise<contentApi.GetTranslationResponse> {
    return this.translations.translate(request);
  }

  explainContent(request: contentApi.ExplainContentRequest): Promise<contentApi.ExplainContentResponse> {
    return this.explanation.explain(request);
  }

  countReportData(request: contentApi.CountReportDataRequest): Promise<contentApi.CountReportDataResponse> {
    return this.content.count(request);
  }

  async discardReport(request: contentApi.DiscardReportRequest): Promise<contentApi.DiscardReportResponse> {
    await this.content.discard(request.projectId, request.reportId);
    return {};
  }
}
