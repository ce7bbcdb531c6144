import {
  AnalysisStatus,
  CreateReportRequest,
  CreateReportResponse,
  CreationMode,
  DiscardResponse,
  Report,
  ReportPage,
  Vehicle,
} from '../api';
import { URGENCIES } from '@tire/kernel';
import {
  ConfirmedSize,
  CreateConsoleReportRequest,
  CreateManualReportRequest,
  CreatorList,
  ImageAddress,
  MarkedReports,
  MarkReportsRequest,
  ReportDetail,
  ReportList,
  SelectedReports,
  ShareLinks,
  SetGauge,
  SetGaugeRequest,
  SizeGuess,
  SizeGuessList,
  VehicleHistory,
} from '../console/reports';
import * as examples from './examples/reports';
import { z } from 'zod';
import type { Operation } from './operation';
import { IDEMPOTENCY_KEY, moment, oneOf, PAGE, shortText } from './parameters';
import { PROJECT, PROJECT_REPORT, REPORT, VEHICLE } from './paths';

const CREATION_ERRORS = ['idempotency_conflict', 'idempotency_in_progress', 'report_discarded', 'report_purge_pending'] as const;

const CREATED_IN_CONSOLE = [
  { status: 201, schema: CreateReportResponse },
  { status: 202, description: 'A report of the inspection exists, whose images the service fetches.', schema: CreateReportResponse },
] as const satisfies Operation['responses'];

const MUST_BE_ACTOR = 'must be one of report-creators.';

export const REPORT_OPERATIONS = {
  createReport: {
    method: 'post',
    api: { path: '/reports', scope: 'report:write', tag: 'Reports' },
    summary: 'Create a report.',
    description:
      'With images: customer URL mode, the service fetches them. Without images: Pre-Signed mode, the response holds one upload target ' +
      'per slot. A retry with the same `Idempotency-Key` and body gets the stored response; if its upload URLs have expired, request new ' +
      'upload targets.',
    headers: IDEMPOTENCY_KEY,
    body: {
      schema: CreateReportRequest,
      examples: { customer_url: examples.createByUrlExample, pre_signed: examples.createForUploadExample },
    },
    responses: [
      {
        status: 201,
        description: 'Created in Pre-Signed mode.',
        schema: CreateReportResponse,
        examples: { pre_signed: examples.awaitingExample },
      },
      {
        status: 202,
        description: 'Created in customer URL mode; the analysis starts.',
        schema: CreateReportResponse,
        examples: { customer_url: examples.acceptedExample },
      },
    ],
    errors: [...CREATION_ERRORS, 'validation_error'],
  },
  getReport: {
    method: 'get',
    api: { path: REPORT, scope: 'report:read', tag: 'Reports' },
    summary: 'Read objective data (report.v1).',
    description: 'The reliable way to detect completion.',
    responses: [
      {
        status: 200,
        description: 'The report.',
        schema: Report,
        examples: { complete: examples.reportExample, partial: examples.partialReportExample },
      },
    ],
    errors: ['not_found'],
  },
  discardReport: {
    method: 'delete',
    api: { path: REPORT, scope: 'report:discard', tag: 'Reports' },
    console: { path: PROJECT_REPORT, access: 'reports.discard' },
    summary: 'Discard the report.',
    description:
      'Final, and repeatable. Afterwards reads give 404 and changes 409 `report_discarded`. On 503 `discard_incomplete` access has ended; ' +
      'repeat the same request until it gives 200.',
    responses: [{ status: 200, description: 'Discarded.', schema: DiscardResponse, examples: { discarded: examples.discardExample } }],
    errors: ['not_found', 'report_purge_pending', 'discard_incomplete'],
  },
  listReports: {
    method: 'get',
    api: { path: '/reports', scope: 'report:read', tag: 'Reports', additional: true },
    summary: 'Find reports.',
    description:
      'Newest first, page by page. Filters may be combined; all of them must match. Each report that exists at the first page and that no ' +
      'filter excludes meanwhile is listed once; reports that are created later are not. To follow new reports, read again with ' +
      '`created_from` some seconds before the newest one: creations that run at the same time may appear in another order. ' +
      'A page may have fewer reports than `limit`, or none, and still a `next_cursor`: a value that very many reports have is searched part by part.',
    query: {
      external_inspection_id: shortText()
        .optional()
        .meta({ description: 'Only the report of this inspection.', example: 'inspection-2026-0911' }),
      external_vehicle_id: shortText().optional().meta({ description: 'Only those of this vehicle.', example: 'vehicle-17' }),
      plate_number: shortText()
        .optional()
        .meta({ description: 'Only those with this plate; spaces and the case of letters do not count.', example: '12가 3456' }),
      analysis_status: oneOf(AnalysisStatus, 'Only those in one state.').meta({ example: 'complete' }),
      created_from: moment('Only those created then or later.').meta({ example: '2026-11-01T00:00:00Z' }),
      created_before: moment('Only those created before then.').meta({ example: '2026-12-01T00:00:00Z' }),
      ...PAGE,
    },
    refusesUnknownQuery: true,
    responses: [{ status: 200, description: 'A page of reports.', schema: ReportPage, examples: { page: examples.reportPageExample } }],
    errors: ['validation_error'],
  },
  getVehicle: {
    method: 'get',
    api: { path: VEHICLE, scope: 'report:read', tag: 'Reports', additional: true },
    summary: 'Read the wear of a vehicle over time.',
    description: 'The inspections of one `external_vehicle_id` with the lowest depth of each tire. 404 if the project has no report of it.',
    responses: [{ status: 200, description: 'The vehicle.', schema: Vehicle, examples: { vehicle: examples.vehicleExample } }],
    errors: ['not_found'],
  },
  listConsoleReports: {
    method: 'get',
    console: { path: `${PROJECT}/reports`, access: 'reports.read' },
    summary: 'The reports of the project.',
    description: 'A page may have no report and still a `next_cursor`: a value that very many reports have is searched part by part.',
    query: {
      ...PAGE,
      search: z
        .preprocess((text) => (text === '' ? undefined : text), shortText().optional())
        .optional()
        .meta({
          description:
            'Only those with this plate (spaces do not count) or its last four characters, this report id, external_inspection_id or ' +
            'external_vehicle_id. Empty: all.',
          minLength: 0,
        }),
      analysis_status: oneOf(AnalysisStatus, 'Only those in one state.'),
      mode: oneOf(CreationMode, 'Only those created in one way.'),
      created_from: moment('Only those created then or later.'),
      created_before: moment('Only those created before then.'),
      urgency: oneOf({ options: URGENCIES }, 'Only those of one urgency. not_measured: all that have no verdict.'),
      attention: oneOf(
        { options: ['open', 'unread', 'handled'] },
        'Only those that are not handled, not opened since their result, or handled.',
      ),
      created_by: z
        .string({ error: MUST_BE_ACTOR })
        .regex(/^(?:user|key):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^service:[a-z]{1,20}$/, MUST_BE_ACTOR)
        .optional()
        .describe('Only those of one creator, as report-creators names them.'),
      order: oneOf(
        { options: ['newest', 'urgency'] },
        'By urgency, the newest come first within each. With a search only newest. Default: newest.',
      ),
    },
    responses: [{ status: 200, schema: ReportList }],
    errors: ['validation_error'],
  },
  listReportCreators: {
    method: 'get',
    console: { path: `${PROJECT}/report-creators`, access: 'reports.read' },
    summary: 'Who created the reports of the project, for the filter of the list.',
    responses: [{ status: 200, schema: CreatorList }],
  },
  markReports: {
    method: 'post',
    console: { path: `${PROJECT}/report-marks`, access: 'reports.write' },
    summary: 'Mark reports as read, handled or not handled.',
    description: 'Each report has an outcome of its own; one that the project does not have is not_found.',
    body: { schema: MarkReportsRequest },
    responses: [{ status: 200, schema: MarkedReports }],
  },
  readShareLinks: {
    method: 'post',
    console: { path: `${PROJECT}/report-share-links`, access: 'reports.read' },
    summary: 'The share links of selected reports.',
    description: 'Each report has an outcome of its own; one that the project does not have is not_found.',
    body: { schema: SelectedReports },
    responses: [{ status: 200, schema: ShareLinks }],
  },
  getVehicleHistory: {
    method: 'get',
    console: { path: `${PROJECT}/vehicle-history`, access: 'reports.read' },
    summary: 'The inspections of one vehicle, with the depth of its tires.',
    query: { external_vehicle_id: shortText().describe('The id of the vehicle.') },
    responses: [{ status: 200, schema: VehicleHistory }],
    errors: ['validation_error'],
  },
  getReportDetail: {
    method: 'get',
    console: { path: PROJECT_REPORT, access: 'reports.read' },
    summary: 'One report and what happened to it.',
    responses: [{ status: 200, schema: ReportDetail }],
  },
  listSizeGuesses: {
    method: 'get',
    console: { path: `${PROJECT_REPORT}/size-guesses`, access: 'reports.write' },
    summary: 'Sizes that a person may be asked about.',
    description:
      'Of a slot whose size was not read: the size that its image and an earlier image of the slot both show, neither of them clearly ' +
      'enough. No document of the public API contains it.',
    responses: [{ status: 200, schema: SizeGuessList }],
  },
  confirmSize: {
    method: 'post',
    console: { path: `${PROJECT_REPORT}/confirmed-sizes`, access: 'reports.write' },
    summary: 'Confirm such a size: it becomes a manual value of the slot, in a new analysis revision.',
    description: 'Any other size than the one that is offered for the slot gives 422 with param `size`.',
    body: { schema: SizeGuess },
    responses: [{ status: 200, schema: ConfirmedSize }],
    errors: ['report_discarded', 'report_purge_pending', 'validation_error'],
  },
  setGauge: {
    method: 'post',
    console: { path: `${PROJECT_REPORT}/gauge-values`, access: 'reports.write' },
    summary: 'Enter or withdraw depths that a person measured with a gauge, over those of a photograph.',
    description:
      'The depth of the gauge decides, in a new analysis revision; `analysis.gauge` keeps what was measured. Values are bound to the ' +
      'measurement over which they were entered: if the slot was measured again since `analysis_revision`, this gives 422 with that param. ' +
      'Unusual values give 409 confirmation_required until confirm_unusual is true.',
    body: { schema: SetGaugeRequest },
    responses: [{ status: 200, schema: SetGauge }],
    errors: ['confirmation_required', 'report_discarded', 'report_purge_pending', 'validation_error'],
  },
  getImage: {
    method: 'get',
    console: { path: `${PROJECT_REPORT}/images/{asset_id}`, access: 'reports.read' },
    summary: 'A short-lived address from which an image of the report can be read.',
    responses: [{ status: 200, schema: ImageAddress }],
  },
  createConsoleReport: {
    method: 'post',
    console: { path: `${PROJECT}/reports`, access: 'reports.write' },
    summary: 'Create a report; its images are uploaded to the targets in the response and registered.',
    headers: IDEMPOTENCY_KEY,
    body: { schema: CreateConsoleReportRequest },
    responses: CREATED_IN_CONSOLE,
    errors: CREATION_ERRORS,
  },
  createManualReport: {
    method: 'post',
    console: { path: `${PROJECT}/manual-reports`, access: 'reports.write' },
    summary: 'Create a report of depths that were measured by hand.',
    description:
      'Impossible values give a validation_error that names the field. Unusual values give 409 confirmation_required, whose param names ' +
      'the first one, until confirm_unusual is true. Images may be uploaded afterwards, to upload-targets of the report: they are not ' +
      'analyzed.',
    headers: IDEMPOTENCY_KEY,
    body: { schema: CreateManualReportRequest },
    responses: CREATED_IN_CONSOLE,
    errors: ['confirmation_required', ...CREATION_ERRORS],
  },
} as const satisfies Record<string, Operation>;
