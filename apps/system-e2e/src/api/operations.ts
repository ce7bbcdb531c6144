import type {
  AnalyzeResponse,
  Content,
  CreateReportResponse,
  DiscardResponse,
  ListenedCallbacks,
  LoggedRequests,
  IssuedCapture,
  PublishResponse,
  RegisterImagesResponse,
  ReplayResponse,
  Report,
  ReportPage,
  RevokedCapture,
  ShareRecord,
  UploadTargetsResponse,
  Vehicle,
} from '@tire/contracts/api';
import { API_OPERATIONS, type ApiOperation } from '@tire/contracts/operations';

/** The body of each operation's successful response. */
export interface Answers {
  createReport: CreateReportResponse;
  listReports: ReportPage;
  getVehicle: Vehicle;
  getReport: Report;
  getContent: Content;
  getContentRevision: Content;
  createUploadTargets: UploadTargetsResponse;
  registerImages: RegisterImagesResponse;
  analyzeSlots: AnalyzeResponse;
  publishReport: PublishResponse;
  getShare: ShareRecord;
  reissueShare: ShareRecord;
  revokeShare: ShareRecord;
  discardReport: DiscardResponse;
  replayCallbacks: ReplayResponse;
  listenToCallbacks: ListenedCallbacks;
  tailRequests: LoggedRequests;
  issueCapture: IssuedCapture;
  revokeCapture: RevokedCapture;
}

export type Operation = keyof Answers;

export const OPERATIONS = API_OPERATIONS.map(({ operationId }) => operationId as Operation);
/** Operations on one report. */
export const ON_A_REPORT = OPERATIONS.filter((operation) => endpointOf(operation).path.includes('{report_id}'));
export const READS = OPERATIONS.filter((operation) => endpointOf(operation).scope === 'report:read');
/** What a valid request of a live project about nothing that exists gets. Only test projects can be listened to. */
export function statusOfNothing(operation: Operation): number {
  if (operation === 'createReport') return 201;
  if (operation === 'listReports') return 200;
  if (operation === 'listenToCallbacks') return 403;
  return operation === 'replayCallbacks' ? 202 : 404;
}
export const MUTATIONS = ON_A_REPORT.filter((operation) => !READS.includes(operation));

export function endpointOf(operation: Operation): ApiOperation {
  const endpoint = API_OPERATIONS.find(({ operationId }) => operationId === operation);
  if (!endpoint) throw new Error(`The interface has no operation ${operation}`);
  return endpoint;
}
