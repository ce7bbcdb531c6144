import { Controller } from '@nestjs/common';
import { shareApi } from '@tire/contracts/grpc';
import { CallbackService } from '../callbacks/callback.service';
import { ReplayService } from '../callbacks/replay.service';
import { ListenerService } from '../listeners/listener.service';
import { ShareService } from './share.service';
import { BranchService } from '../partner/branch.service';
import { PartnerService } from '../partner/partner.service';
import { Retention } from '../retention/retention';
import { VehicleLinkService } from '../vehicles/vehicle-link.service';
import { WebhookSecretService } from '../webhook-secrets/webhook-secret.service';

@Controller()
@shareApi.ShareServiceControllerMethods()
export class ShareController implements shareApi.ShareServiceController {
  constructor(
    private readonly shares: ShareService,
    private readonly callbacks: CallbackService,
    private readonly replays: ReplayService,
    private readonly listeners: ListenerService,
    private readonly webhookSecrets: WebhookSecretService,
    private readonly partners: PartnerService,
    private readonly branches: BranchService,
    private readonly vehicleLinks: VehicleLinkService,
    private readonly retention: Retention,
  ) {}

  getRetention(request: shareApi.GetRetentionRequest): Promise<shareApi.GetRetentionResponse> {
    return this.retention.of(request);
  }

  chooseRetention(request: shareApi.ChooseRetentionRequest): Promise<shareApi.ChooseRetentionResponse> {
    return this.retention.choose(request);
  }

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

  countReportData(request: shareApi.CountReportDataRequest): Promise<shareApi.CountReportDataResponse> {
    return this.shares.count(request);
  }

  getPublication(request: shareApi.GetPublicationRequest): Promise<shareApi.GetPublicationResponse> {
    return this.shares.publication(request);
  }

  listCallbacks(request: shareApi.ListCallbacksRequest): Promise<shareApi.ListCallbacksResponse> {
    return this.callbacks.list(request);
  }

  getCallback(request: shareApi.GetCallbackRequest): Promise<shareApi.GetCallbackResponse> {
    return this.callbacks.get(request);
  }

  resendCallback(request: shareApi.ResendCallbackRequest): Promise<shareApi.ResendCallbackResponse> {
    return this.callbacks.resend(request);
  }

  sendTestCallback(request: shareApi.SendTestCallbackRequest): Promise<shareApi.SendTestCallbackResponse> {
    return this.callbacks.sendTest(request);
  }

  getWebhookSecrets(request: shareApi.GetWebhookSecretsRequest): Promise<shareApi.GetWebhookSecretsResponse> {
    return this.webhookSecrets.list(request);
  }

  rotateWebhookSecret(request: shareApi.RotateWebhookSecretRequest): Promise<shareApi.RotateWebhookSecretResponse> {
    return this.webhookSecrets.rotate(request);
  }

  getChosenEvents(request: shareApi.GetChosenEventsRequest): Promise<shareApi.GetChosenEventsResponse> {
    return this.replays.events(request);
  }

  chooseEvents(request: shareApi.ChooseEventsRequest): Promise<shareApi.ChooseEventsResponse> {
    return this.replays.choose(request);
  }

  replayCallbacks(request: shareApi.ReplayCallbacksRequest): Promise<shareApi.ReplayCallbacksResponse> {
    return this.replays.replay(request);
  }

  listenToCallbacks(request: shareApi.ListenToCallbacksRequest): Promise<shareApi.ListenToCallbacksResponse> {
    return this.listeners.listen(request);
  }

  findLastCallbacks(request: shareApi.FindLastCallbacksRequest): Promise<shareApi.FindLastCallbacksResponse> {
    return this.listeners.lastNumbers(request);
  }

  getCallbackUsage(request: shareApi.GetCallbackUsageRequest): Promise<shareApi.GetCallbackUsageResponse> {
    return this.callbacks.usage(request);
  }

  getPartner(request: shareApi.GetPartnerRequest): Promise<shareApi.GetPartnerResponse> {
    return this.partners.get(request);
  }

  changePartner(request: shareApi.ChangePartnerRequest): Promise<shareApi.ChangePartnerResponse> {
    return this.partners.change(request);
  }

  changeLogo(request: shareApi.ChangeLogoRequest): Promise<shareApi.ChangeLogoResponse> {
    return this.partners.changeLogo(request);
  }

  noteTimeZone(request: shareApi.NoteTimeZoneRequest): Promise<shareApi.NoteTimeZoneResponse> {
    return this.partners.noteTimeZone(request);
  }

  listBranches(request: shareApi.ListBranchesRequest): Promise<shareApi.ListBranchesResponse> {
    return this.branches.list(request);
  }

  getBranch(request: shareApi.GetBranchRequest): Promise<shareApi.GetBranchResponse> {
    return this.branches.get(request);
  }

  getFace(request: shareApi.GetFaceRequest): Promise<shareApi.GetFaceResponse> {
    return this.partners.face(request);
  }

  saveBranch(request: shareApi.SaveBranchRequest): Promise<shareApi.SaveBranchResponse> {
    return this.branches.save(request);
  }

  changeBranchLogo(request: shareApi.ChangeBranchLogoRequest): Promise<shareApi.ChangeBranchLogoResponse> {
    return this.branches.changeLogo(request);
  }

  createVehicleLink(request: shareApi.CreateVehicleLinkRequest): Promise<shareApi.CreateVehicleLinkResponse> {
    return this.vehicleLinks.create(request);
  }

  listVehicleLinks(request: shareApi.ListVehicleLinksRequest): Promise<shareApi.ListVehicleLinksResponse> {
    return this.vehicleLinks.list(request);
  }

  revokeVehicleLink(request: shareApi.RevokeVehicleLinkRequest): Promise<shareApi.RevokeVehicleLinkResponse> {
    return this.vehicleLinks.revoke(request);
  }
}
