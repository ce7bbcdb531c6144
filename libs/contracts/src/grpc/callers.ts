import type { AssetServiceClient } from '../generated/tire/assets/v1/assets';
import type { ContentServiceClient } from '../generated/tire/content/v1/content';
import type { LedgerServiceClient } from '../generated/tire/ledger/v1/ledger';
import type { ShareServiceClient } from '../generated/tire/share/v1/share';

export const SERVICE_NAMES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A row for every rpc of a service: an rpc without a row does not compile. */
type Callers<Client> = { readonly [Rpc in keyof Client]: readonly ServiceName[] };

const ledger: Callers<LedgerServiceClient> = {
  createReport: ['gateway'],
  getReports: ['gateway'],
  getContentPointers: ['gateway', 'share'],
  getMutability: ['gateway'],
  issueUploadTargets: ['gateway'],
  registerImages: ['gateway'],
  analyzeSlots: ['gateway'],
  listSizeGuesses: ['gateway'],
  confirmSize: ['gateway'],
  setGauge: ['gateway'],
  getTrainingUse: ['gateway'],
  setTrainingUse: ['gateway'],
  listGaugeReadings: ['assets'],
  listSelectedReports: ['gateway'],
  getReportValues: ['gateway'],
  issueCapture: ['gateway'],
  revokeCapture: ['gateway'],
  findCapture: ['gateway'],
  getCapture: ['gateway'],
  finishCapture: ['gateway'],
  discardReport: ['gateway'],
  findSubjectReports: ['gateway'],
  countReportData: ['gateway'],
  eraseReport: ['gateway'],
  forgetVehicleNames: ['gateway'],
  getAnalysisRevision: ['content'],
  getPublicationState: ['share'],
  applyPublication: ['share'],
  findShareToken: ['share'],
  findAssetsInUse: ['assets'],
  listReports: ['gateway'],
  markReports: ['gateway'],
  listCreators: ['gateway'],
  listVehicleReports: ['gateway'],
  listVehicles: ['gateway'],
  getVehicle: ['gateway'],
  getVehicleOfReport: ['gateway'],
  getPublishedVehicle: ['share'],
  mergeVehicles: ['gateway'],
  splitVehicle: ['gateway'],
  undoVehicleChange: ['gateway'],
  judgeTire: ['gateway'],
  getReportHistory: ['gateway'],
  getReportProgress: ['gateway'],
  getUsage: ['gateway'],
  signImage: ['gateway'],
  getRetention: ['gateway'],
  chooseRetention: ['gateway'],
  holdReport: ['gateway'],
  releaseReport: ['gateway'],
  listRetention: ['assets', 'share'],
  listHeldReports: ['gateway', 'assets', 'share'],
  endImages: ['assets'],
};

const assets: Callers<AssetServiceClient> = {
  issueTargets: ['ledger'],
  registerUploads: ['ledger'],
  signRead: ['inference'],
  // A process of share of the release before asks for one image at a time.
  signDisplay: ['ledger', 'share'],
  signPageImages: ['share'],
  storeLogo: ['share'],
  signLogo: ['share'],
  removeLogo: ['share'],
  signExportUpload: ['gateway'],
  signExportRead: ['gateway'],
  deliverExport: ['gateway'],
  removeExport: ['gateway'],
  discardReport: ['ledger'],
  countReportData: ['ledger'],
};

const content: Callers<ContentServiceClient> = {
  getContentRevision: ['gateway', 'share', 'ledger'],
  getTranslation: ['share'],
  // The admin command of content calls it within its process.
  explainContent: [],
  discardReport: ['ledger'],
  countReportData: ['ledger'],
};

const share: Callers<ShareServiceClient> = {
  getShare: ['gateway'],
  publishReport: ['gateway'],
  revokeShare: ['gateway', 'ledger'],
  reissueShare: ['gateway', 'ledger'],
  discardReport: ['ledger'],
  countReportData: ['ledger'],
  listCallbacks: ['gateway'],
  getCallback: ['gateway'],
  resendCallback: ['gateway'],
  sendTestCallback: ['gateway'],
  getWebhookSecrets: ['gateway'],
  rotateWebhookSecret: ['gateway'],
  getChosenEvents: ['gateway'],
  chooseEvents: ['gateway'],
  replayCallbacks: ['gateway'],
  listenToCallbacks: ['gateway'],
  findLastCallbacks: ['gateway'],
  getCallbackUsage: ['gateway'],
  getPublication: ['ledger'],
  getPartner: ['gateway'],
  changePartner: ['gateway'],
  changeLogo: ['gateway'],
  noteTimeZone: ['gateway'],
  listBranches: ['gateway'],
  getBranch: ['gateway'],
  getFace: ['gateway'],
  saveBranch: ['gateway'],
  changeBranchLogo: ['gateway'],
  createVehicleLink: ['gateway'],
  listVehicleLinks: ['gateway'],
  revokeVehicleLink: ['gateway'],
  getRetention: ['gateway'],
  chooseRetention: ['gateway'],
};

/** Which service may call which rpc. The servers enforce it, and the network policies of the chart follow the same edges. */
export const CALLERS: Readonly<Record<string, Readonly<Record<string, readonly ServiceName[]>>>> = { ledger, assets, content, share };

const PATH = /^\/tire\.(\w+)\.v1\.\w+\/(\w)(\w*)$/;

/** The services that may call a path as gRPC writes it: `/tire.ledger.v1.LedgerService/CreateReport`. None may call an unknown path. */
export function callersOf(path: string): readonly ServiceName[] {
  const [, callee = '', initial = '', rest = ''] = PATH.exec(path) ?? [];
  const rpcs = Object.hasOwn(CALLERS, callee) ? CALLERS[callee]! : {};
  const name = initial.toLowerCase() + rest;
  return Object.hasOwn(rpcs, name) ? rpcs[name]! : [];
}
