import type {
  AnalyzeResponse,
  Content,
  CreateReportResponse,
  DiscardResponse,
  PublishResponse,
  RegisterImagesResponse,
  Report,
  ShareRecord,
  UploadTargetsResponse,
} from '@tire/contracts';
import { ENDPOINTS, type Endpoint } from '@tire/contracts';

/** The body of each operation's successful response. */
export interface Answers {
  createReport: CreateReportResponse;
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
}

export type Operation = keyof Answers;

export const OPERATIONS = ENDPOINTS.map(({ operationId }) => operationId as Operation);
/** Operations on one report. */
export const ON_A_REPORT = OPERATIONS.filter((operation) => operation !== 'createReport');
export const READS = OPERATIONS.filter((operation) => endpointOf(operation).scope === 'report:read');
export const MUTATIONS = ON_A_REPORT.filter((operation) => !READS.includes(operation));

export function endpointOf(operation: Operation): Endpoint {
  const endpoint = ENDPOINTS.find(({ operationId }) => operationId === operation);
  if (!endpoint) throw new Error(`The interface has no operation ${operation}`);
  return endpoint;
}
