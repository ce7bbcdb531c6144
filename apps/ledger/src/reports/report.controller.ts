import { ledgerApi } from '@tire/contracts/grpc';
import { Controller } from '@nestjs/common';
import { AssetUse } from '../images/asset-use';
import { CreationService } from '../creation/creation.service';
import { CaptureService } from '../capture/capture.service';
import { MeasuringService } from '../analysis/measuring.service';
import { GaugeService } from '../gauge/gauge.service';
import { SizeGuessesService } from '../analysis/size-guesses.service';
import { PublicationService } from '../publication/publication.service';
import { HoldsService } from '../holds/holds.service';
import { RemovalService } from '../removal/removal.service';
import { Retention } from '../removal/retention';
import { SubjectService } from '../removal/subject.service';
import { HistoryService } from '../history/history.service';
import { ProgressService } from '../history/progress.service';
import { ReportQueries } from './report.queries';
import { SearchService } from '../search/search.service';
import { MarksService } from '../worklist/marks.service';
import { UsageService } from '../usage/usage.service';
import { VehiclesService } from '../vehicles/vehicles.service';

@Controller()
@ledgerApi.LedgerServiceControllerMethods()
export class ReportController implements ledgerApi.LedgerServiceController {
  constructor(
    private readonly creation: CreationService,
    private readonly measuring: MeasuringService,
    private readonly sizeGuesses: SizeGuessesService,
    private readonly gauge: GaugeService,
    private readonly publication: PublicationService,
    private readonly removal: RemovalService,
    private readonly subjects: SubjectService,
    private readonly queries: ReportQueries,
    private readonly assetUse: AssetUse,
    private readonly search: SearchService,
    private readonly usage: UsageService,
    private readonly history: HistoryService,
    private readonly capture: CaptureService,
    private readonly progress: ProgressService,
    private readonly marks: MarksService,
    private readonly vehicles: VehiclesService,
    private readonly retention: Retention,
    private readonly holds: HoldsService,
  ) {}

  createReport(request: ledgerApi.CreateReportRequest): Promise<ledgerApi.CreateReportResponse> {
    return this.creation.create(request);
  }

  getReports(request: ledgerApi.GetReportsRequest): Promise<ledgerApi.GetReportsResponse> {
    return this.queries.reports(request);
  }

  getContentPointers(request: ledgerApi.GetContentPointersRequest): Promise<ledgerApi.GetContentPointersResponse> {
    return this.queries.contentPointers(request);
  }

  getAnalysisRevision(request: ledgerApi.GetAnalysisRevisionRequest): Promise<ledgerApi.GetAnalysisRevisionResponse> {
    return this.queries.analysisRevision(request);
  }

  getMutability(request: ledgerApi.GetMutabilityRequest): Promise<ledgerApi.GetMutabilityResponse> {
    return this.measuring.mutability(request);
  }

  issueUploadTargets(request: ledgerApi.IssueUploadTargetsRequest): Promise<ledgerApi.IssueUploadTargetsResponse> {
    return this.measuring.issueTargets(request);
  }

  registerImages(request: ledgerApi.RegisterImagesRequest): Promise<ledgerApi.RegisterImagesResponse> {
    return this.measuring.register(request);
  }

  analyzeSlots(request: ledgerApi.AnalyzeSlotsRequest): Promise<ledgerApi.AnalyzeSlotsResponse> {
    return this.measuring.analyze(request);
  }

  listSizeGuesses(request: ledgerApi.ListSizeGuessesRequest): Promise<ledgerApi.ListSizeGuessesResponse> {
    return this.sizeGuesses.list(request);
  }

  confirmSize(request: ledgerApi.ConfirmSizeRequest): Promise<ledgerApi.ConfirmSizeResponse> {
    return this.sizeGuesses.confirm(request);
  }

  setGauge(request: ledgerApi.SetGaugeRequest): Promise<ledgerApi.SetGaugeResponse> {
    return this.gauge.set(request);
  }

  getTrainingUse(request: ledgerApi.GetTrainingUseRequest): Promise<ledgerApi.GetTrainingUseResponse> {
    return this.gauge.use(request);
  }

  setTrainingUse(request: ledgerApi.SetTrainingUseRequest): Promise<ledgerApi.SetTrainingUseResponse> {
    return this.gauge.setUse(request);
  }

  listGaugeReadings(request: ledgerApi.ListGaugeReadingsRequest): Promise<ledgerApi.ListGaugeReadingsResponse> {
    return this.gauge.readings(request);
  }

  listSelectedReports(request: ledgerApi.ListSelectedReportsRequest): Promise<ledgerApi.ListSelectedReportsResponse> {
    return this.search.selected(request);
  }

  getReportValues(request: ledgerApi.GetReportValuesRequest): Promise<ledgerApi.GetReportValuesResponse> {
    return this.search.values(request);
  }

  issueCapture(request: ledgerApi.IssueCaptureRequest): Promise<ledgerApi.IssueCaptureResponse> {
    return this.capture.issue(request);
  }

  revokeCapture(request: ledgerApi.RevokeCaptureRequest): Promise<ledgerApi.RevokeCaptureResponse> {
    return this.capture.revoke(request);
  }

  findCapture(request: ledgerApi.FindCaptureRequest): Promise<ledgerApi.FindCaptureResponse> {
    return this.capture.find(request);
  }

  getCapture(request: ledgerApi.GetCaptureRequest): Promise<ledgerApi.GetCaptureResponse> {
    return this.capture.session(request);
  }

  finishCapture(request: ledgerApi.FinishCaptureRequest): Promise<ledgerApi.FinishCaptureResponse> {
    return this.capture.finish(request);
  }

  getPublicationState(request: ledgerApi.GetPublicationStateRequest): Promise<ledgerApi.GetPublicationStateResponse> {
    return this.publication.state(request);
  }

  applyPublication(request: ledgerApi.ApplyPublicationRequest): Promise<ledgerApi.ApplyPublicationResponse> {
    return this.publication.apply(request);
  }

  findShareToken(request: ledgerApi.FindShareTokenRequest): Promise<ledgerApi.FindShareTokenResponse> {
    return this.publication.findToken(request);
  }

  discardReport(request: ledgerApi.DiscardReportRequest): Promise<ledgerApi.DiscardReportResponse> {
    return this.removal.discard(request);
  }

  findSubjectReports(request: ledgerApi.FindSubjectReportsRequest): Promise<ledgerApi.FindSubjectReportsResponse> {
    return this.subjects.find(request);
  }

  countReportData(request: ledgerApi.CountReportDataRequest): Promise<ledgerApi.CountReportDataResponse> {
    return this.subjects.count(request);
  }

  eraseReport(request: ledgerApi.EraseReportRequest): Promise<ledgerApi.EraseReportResponse> {
    return this.removal.erase(request);
  }

  forgetVehicleNames(request: ledgerApi.ForgetVehicleNamesRequest): Promise<ledgerApi.ForgetVehicleNamesResponse> {
    return this.subjects.forgetNames(request);
  }

  findAssetsInUse(request: ledgerApi.FindAssetsInUseRequest): Promise<ledgerApi.FindAssetsInUseResponse> {
    return this.assetUse.find(request);
  }

  markReports(request: ledgerApi.MarkReportsRequest): Promise<ledgerApi.MarkReportsResponse> {
    return this.marks.mark(request);
  }

  listCreators(request: ledgerApi.ListCreatorsRequest): Promise<ledgerApi.ListCreatorsResponse> {
    return this.search.creators(request);
  }

  listReports(request: ledgerApi.ListReportsRequest): Promise<ledgerApi.ListReportsResponse> {
    return this.search.list(request);
  }

  listVehicleReports(request: ledgerApi.ListVehicleReportsRequest): Promise<ledgerApi.ListVehicleReportsResponse> {
    return this.search.ofVehicle(request);
  }

  getReportProgress(request: ledgerApi.GetReportProgressRequest): Promise<ledgerApi.GetReportProgressResponse> {
    return this.progress.of(request);
  }

  listVehicles(request: ledgerApi.ListVehiclesRequest): Promise<ledgerApi.ListVehiclesResponse> {
    return this.vehicles.list(request);
  }

  getVehicleOfReport(request: ledgerApi.GetVehicleOfReportRequest): Promise<ledgerApi.GetVehicleOfReportResponse> {
    return this.vehicles.ofReport(request);
  }

  getVehicle(request: ledgerApi.GetVehicleRequest): Promise<ledgerApi.GetVehicleResponse> {
    return this.vehicles.get(request);
  }

  getPublishedVehicle(request: ledgerApi.GetPublishedVehicleRequest): Promise<ledgerApi.GetPublishedVehicleResponse> {
    return this.vehicles.published(request);
  }

  mergeVehicles(request: ledgerApi.MergeVehiclesRequest): Promise<ledgerApi.MergeVehiclesResponse> {
    return this.vehicles.merge(request);
  }

  splitVehicle(request: ledgerApi.SplitVehicleRequest): Promise<ledgerApi.SplitVehicleResponse> {
    return this.vehicles.split(request);
  }

  undoVehicleChange(request: ledgerApi.UndoVehicleChangeRequest): Promise<ledgerApi.UndoVehicleChangeResponse> {
    return this.vehicles.undo(request);
  }

  judgeTire(request: ledgerApi.JudgeTireRequest): Promise<ledgerApi.JudgeTireResponse> {
    return this.vehicles.judge(request);
  }

  getReportHistory(request: ledgerApi.GetReportHistoryRequest): Promise<ledgerApi.GetReportHistoryResponse> {
    return this.history.of(request);
  }

  getUsage(request: ledgerApi.GetUsageRequest): Promise<ledgerApi.GetUsageResponse> {
    return this.usage.of(request);
  }

  getRetention(request: ledgerApi.GetRetentionRequest): Promise<ledgerApi.GetRetentionResponse> {
    return this.retention.of(request);
  }

  chooseRetention(request: ledgerApi.ChooseRetentionRequest): Promise<ledgerApi.ChooseRetentionResponse> {
    return this.retention.choose(request);
  }

  listRetention(request: ledgerApi.ListRetentionRequest): Promise<ledgerApi.ListRetentionResponse> {
    return this.retention.all(request);
  }

  holdReport(request: ledgerApi.HoldReportRequest): Promise<ledgerApi.HoldReportResponse> {
    return this.holds.hold(request);
  }

  releaseReport(request: ledgerApi.ReleaseReportRequest): Promise<ledgerApi.ReleaseReportResponse> {
    return this.holds.release(request);
  }

  listHeldReports(request: ledgerApi.ListHeldReportsRequest): Promise<ledgerApi.ListHeldReportsResponse> {
    return this.holds.list(request);
  }

  endImages(request: ledgerApi.EndImagesRequest): Promise<ledgerApi.EndImagesResponse> {
    return this.holds.endImages(request);
  }

  signImage(request: ledgerApi.SignImageRequest): Promise<ledgerApi.SignImageResponse> {
    return this.measuring.image(request);
  }
}
