import {
  AnalyzeRequest,
  AnalyzeResponse,
  Content,
  CreateReportResponse,
  DiscardResponse,
  PublishResponse,
  RegisterImagesRequest,
  RegisterImagesResponse,
  ShareRecord,
  UploadTargetsRequest,
  UploadTargetsResponse,
} from '../api';
import { IDEMPOTENCY_KEY, PAGE, PROJECT, type ConsoleEndpoint } from './endpoint';
import { CreateConsoleReportRequest, CreateManualReportRequest, ImageAddress, ReportDetail, ReportList, VehicleHistory } from './reports';

const REPORTS = `${PROJECT}/reports`;
const REPORT = `${REPORTS}/{report_id}`;
const REPEATED = ['idempotency_conflict', 'idempotency_in_progress'] as const;
const CLOSED = ['report_discarded', 'report_purge_pending'] as const;

export const REPORT_READING_ENDPOINTS: readonly ConsoleEndpoint[] = [
  {
    operationId: 'listReports',
    method: 'get',
    path: REPORTS,
    summary: 'The reports of the project.',
    access: 'reports.read',
    query: {
      ...PAGE,
      search: {
        description:
          'Only those with this plate (spaces do not count) or its last four characters, this report id, external_inspection_id or external_vehicle_id.',
        schema: { type: 'string', minLength: 1, maxLength: 128 },
      },
    },
    status: 200,
    answer: ReportList,
    errors: ['validation_error'],
  },
  {
    operationId: 'getVehicleHistory',
    method: 'get',
    path: `${PROJECT}/vehicle-history`,
    summary: 'The inspections of one vehicle, with the depth of its tires.',
    access: 'reports.read',
    query: {
      external_vehicle_id: { description: 'Of the vehicle.', schema: { type: 'string', minLength: 1, maxLength: 128 }, required: true },
    },
    status: 200,
    answer: VehicleHistory,
    errors: ['validation_error'],
  },
  {
    operationId: 'getReportDetail',
    method: 'get',
    path: REPORT,
    summary: 'One report and what happened to it.',
    access: 'reports.read',
    status: 200,
    answer: ReportDetail,
  },
  {
    operationId: 'getReportContent',
    method: 'get',
    path: `${REPORT}/content`,
    summary: 'What the customer reads, as report-content.v1; status pending while it is not there.',
    access: 'reports.read',
    status: 200,
    answer: Content,
    errors: ['content_unavailable_for_legacy'],
  },
  {
    operationId: 'getImage',
    method: 'get',
    path: `${REPORT}/images/{asset_id}`,
    summary: 'Where a photograph of the report can be read.',
    access: 'reports.read',
    status: 200,
    answer: ImageAddress,
  },
  {
    operationId: 'getReportShare',
    method: 'get',
    path: `${REPORT}/share`,
    summary: 'The share link and whether its page is open.',
    access: 'reports.read',
    status: 200,
    answer: ShareRecord,
  },
];

export const REPORT_WORK_ENDPOINTS: readonly ConsoleEndpoint[] = [
  {
    operationId: 'createConsoleReport',
    method: 'post',
    path: REPORTS,
    summary: 'Create a report; photographs are uploaded to the targets in the answer and registered.',
    access: 'reports.write',
    headers: IDEMPOTENCY_KEY,
    request: CreateConsoleReportRequest,
    status: 201,
    answer: CreateReportResponse,
    errors: [...REPEATED, ...CLOSED],
  },
  {
    operationId: 'createTargets',
    method: 'post',
    path: `${REPORT}/upload-targets`,
    summary: 'Upload addresses for some slots.',
    access: 'reports.write',
    request: UploadTargetsRequest,
    status: 201,
    answer: UploadTargetsResponse,
    errors: CLOSED,
  },
  {
    operationId: 'registerUploads',
    method: 'post',
    path: `${REPORT}/images`,
    summary: 'Register what was uploaded; its analysis starts.',
    access: 'reports.write',
    query: { replace: { description: 'Replace the photograph of a slot that succeeded.', schema: { type: 'boolean', default: false } } },
    request: RegisterImagesRequest,
    status: 202,
    answer: RegisterImagesResponse,
    errors: [...CLOSED, 'slot_already_succeeded'],
  },
  {
    operationId: 'analyzeAgain',
    method: 'post',
    path: `${REPORT}/analyze`,
    summary: 'Analyze slots again; without slots every failed one.',
    access: 'reports.write',
    request: AnalyzeRequest,
    status: 202,
    answer: AnalyzeResponse,
    errors: CLOSED,
  },
  {
    operationId: 'publish',
    method: 'post',
    path: `${REPORT}/publish`,
    summary: 'Publish the share page.',
    access: 'reports.publish',
    status: 200,
    answer: PublishResponse,
    errors: [...CLOSED, 'publish_requirements_unmet'],
  },
  {
    operationId: 'reissueReportShare',
    method: 'post',
    path: `${REPORT}/share`,
    summary: 'Issue a new share link; the old one never opens again.',
    access: 'reports.publish',
    status: 201,
    answer: ShareRecord,
    errors: CLOSED,
  },
  {
    operationId: 'revokeReportShare',
    method: 'delete',
    path: `${REPORT}/share`,
    summary: 'Revoke the share link.',
    access: 'reports.publish',
    status: 200,
    answer: ShareRecord,
    errors: CLOSED,
  },
  {
    operationId: 'discard',
    method: 'delete',
    path: REPORT,
    summary: 'Discard the report, for good. Repeatable.',
    access: 'reports.discard',
    status: 200,
    answer: DiscardResponse,
    errors: ['report_purge_pending', 'discard_incomplete'],
  },
];

export const MANUAL_ENDPOINTS: readonly ConsoleEndpoint[] = [
  {
    operationId: 'createManualReport',
    method: 'post',
    path: `${PROJECT}/manual-reports`,
    summary: 'Create a report of depths that were measured by hand.',
    description:
      'Impossible values are a validation_error that names the field; unusual ones give 409 confirmation_required, whose param names the ' +
      'first, until confirm_unusual is true. Photographs may be uploaded afterwards, to upload-targets of the report: they are not measured.',
    access: 'reports.write',
    headers: IDEMPOTENCY_KEY,
    request: CreateManualReportRequest,
    status: 201,
    answer: CreateReportResponse,
    errors: ['confirmation_required', ...REPEATED, ...CLOSED],
  },
];
