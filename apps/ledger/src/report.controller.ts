import { ledgerApi } from '@tire/contracts';
import { Controller } from '@nestjs/common';
import { CreationService } from './creation.service';
import { RegistrationService } from './registration.service';
import { ReportQueries } from './report.queries';

@Controller()
@ledgerApi.LedgerServiceControllerMethods()
export class ReportController implements ledgerApi.LedgerServiceController {
  constructor(
    private readonly creation: CreationService,
    private readonly registration: RegistrationService,
    private readonly queries: ReportQueries,
  ) {}

  createReport(request: ledgerApi.CreateReportRequest): Promise<ledgerApi.CreateReportResponse> {
    return this.creation.create(request);
  }

  getReport(request: ledgerApi.GetReportRequest): Promise<ledgerApi.GetReportResponse> {
    return this.queries.report(request);
  }

  registerImages(request: ledgerApi.RegisterImagesRequest): Promise<ledgerApi.RegisterImagesResponse> {
    return this.registration.register(request);
  }

  getContentPointer(request: ledgerApi.GetContentPointerRequest): Promise<ledgerApi.GetContentPointerResponse> {
    return this.queries.contentPointer(request);
  }

  getAnalysisRevision(request: ledgerApi.GetAnalysisRevisionRequest): Promise<ledgerApi.GetAnalysisRevisionResponse> {
    return this.queries.analysisRevision(request);
  }

  getPublicationState(request: ledgerApi.GetPublicationStateRequest): Promise<ledgerApi.GetPublicationStateResponse> {
    return this.queries.publicationState(request);
  }
}
