import type { ErrorCode } from '@tire/kernel';
import type { z } from 'zod';
import {
  AnalyzeRequest,
  AnalyzeResponse,
  Content,
  CreateReportRequest,
  CreateReportResponse,
  DiscardResponse,
  PublishResponse,
  RegisterImagesRequest,
  RegisterImagesResponse,
  Report,
  ShareRecord,
  UploadTargetsRequest,
  UploadTargetsResponse,
} from '../api';
import * as examples from './examples';
import { HEADERS, type Examples, type HeaderName } from './parts';

interface Parameter {
  readonly description: string;
  readonly schema: object;
  readonly example: unknown;
}

export interface Answer {
  readonly status: 200 | 201 | 202 | 304;
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly headers?: readonly HeaderName[];
  readonly examples?: Examples;
}

export const TAGS = [
  { name: 'Reports', description: 'Creating an inspection report, reading what was measured, discarding it.' },
  { name: 'Content', description: 'What a customer is shown: verdicts and texts in Korean, and what is needed to draw overlays.' },
  { name: 'Images', description: 'Uploading photographs, registering them, measuring again.' },
  { name: 'Publication', description: 'The share page and its link.' },
] as const;

export interface Endpoint {
  readonly tag: (typeof TAGS)[number]['name'];
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: 'report:read' | 'report:write' | 'report:publish' | 'report:discard';
  readonly headers?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly request?: { readonly schema: z.ZodType; readonly required: boolean; readonly examples: Examples };
  readonly answers: readonly Answer[];
  /** Beside those that every endpoint has. */
  readonly errors: readonly ErrorCode[];
}

const REPORT = '/reports/{report_id}';
const mutationErrors = ['not_found', 'report_discarded', 'report_purge_pending'] as const;

const ifNoneMatch = {
  'If-None-Match': {
    description: 'A stored `ETag`, a list of them, or `*`: 304 while the content is unchanged.',
    schema: { type: 'string' },
    example: HEADERS.ETag.example,
  },
};

const contentHeaders: readonly HeaderName[] = ['ETag', 'Content-Location', 'Cache-Control'];

const unchanged: Answer = {
  status: 304,
  description: 'The content that If-None-Match names is still current; no body.',
  headers: contentHeaders,
};

const creation: Endpoint = {
  method: 'post',
  path: '/reports',
  operationId: 'createReport',
  tag: 'Reports',
  summary: 'Create a report.',
  description:
    'With images: customer URL mode, the service fetches them. Without: Pre-Signed mode, the answer holds an upload target per slot. ' +
    'A retry with the same `Idempotency-Key` and body gets the stored answer; where its upload URLs have expired, ask for new upload targets.',
  scope: 'report:write',
  headers: {
    'Idempotency-Key': {
      description: '1 to 255 printable ASCII characters. Deduplicates one request; `external_inspection_id` identifies the inspection.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
      example: 'order-4711',
    },
  },
  request: {
    schema: CreateReportRequest,
    required: true,
    examples: { customer_url: examples.createByUrlExample, pre_signed: examples.createForUploadExample },
  },
  answers: [
    {
      status: 201,
      description: 'Created in Pre-Signed mode.',
      schema: CreateReportResponse,
      examples: { pre_signed: examples.awaitingExample },
    },
    {
      status: 202,
      description: 'Created in customer URL mode; analysis starts.',
      schema: CreateReportResponse,
      examples: { customer_url: examples.acceptedExample },
    },
  ],
  errors: ['idempotency_conflict', 'idempotency_in_progress', 'report_discarded', 'report_purge_pending', 'validation_error'],
};

const reads: readonly Endpoint[] = [
  {
    method: 'get',
    path: REPORT,
    operationId: 'getReport',
    tag: 'Reports',
    summary: 'Read objective data (report.v1).',
    description: 'The reliable way to detect completion.',
    scope: 'report:read',
    answers: [
      {
        status: 200,
        description: 'The report.',
        schema: Report,
        examples: { complete: examples.reportExample, partial: examples.partialReportExample },
      },
    ],
    errors: ['not_found'],
  },
  {
    method: 'get',
    path: `${REPORT}/content`,
    operationId: 'getContent',
    tag: 'Content',
    summary: 'Read the current content (report-content.v1).',
    description:
      'Content of the current analysis revision. While slots are measured anew it is pending, even where an older revision exists.',
    scope: 'report:read',
    headers: ifNoneMatch,
    answers: [
      {
        status: 200,
        description: 'Ready, or failed: then without `ETag` and with `error.code`.',
        schema: Content,
        headers: contentHeaders,
        examples: { ready: examples.readyContentExample, failed: examples.failedContentExample },
      },
      {
        status: 202,
        description: 'Not ready yet.',
        schema: Content,
        headers: ['Retry-After', 'Cache-Control'],
        examples: { pending: examples.pendingContentExample },
      },
      unchanged,
    ],
    errors: ['not_found', 'content_unavailable_for_legacy'],
  },
  {
    method: 'get',
    path: `${REPORT}/content/{content_revision}`,
    operationId: 'getContentRevision',
    tag: 'Content',
    summary: 'Read one fixed content revision.',
    description: 'Its JSON never changes; readable while the report is accessible.',
    scope: 'report:read',
    headers: ifNoneMatch,
    answers: [
      {
        status: 200,
        description: 'The revision.',
        schema: Content,
        headers: contentHeaders,
        examples: { ready: examples.readyContentExample },
      },
      unchanged,
    ],
    errors: ['not_found', 'content_unavailable_for_legacy'],
  },
];

const measuring: readonly Endpoint[] = [
  {
    method: 'post',
    path: `${REPORT}/upload-targets`,
    operationId: 'createUploadTargets',
    tag: 'Images',
    summary: 'Issue new upload targets.',
    description: 'For the listed slots only: when a URL has expired or a slot is shot again.',
    scope: 'report:write',
    request: { schema: UploadTargetsRequest, required: true, examples: { one_slot: examples.uploadTargetsRequestExample } },
    answers: [
      { status: 201, description: 'New targets.', schema: UploadTargetsResponse, examples: { one_slot: examples.uploadTargetsExample } },
    ],
    errors: [...mutationErrors, 'validation_error'],
  },
  {
    method: 'post',
    path: `${REPORT}/images`,
    operationId: 'registerImages',
    tag: 'Images',
    summary: 'Register uploaded assets; their analysis starts.',
    description:
      'Registering the asset that a slot has already changes nothing. An upload whose `Cache-Control` allows reuse for more than 60 seconds, ' +
      'or does not say, gives 422 with param `asset_id`: issue a new target.',
    scope: 'report:write',
    query: {
      replace: {
        description: '`true`: replace the asset of a slot that succeeded or is being replaced.',
        schema: { type: 'boolean', default: false },
        example: true,
      },
    },
    request: { schema: RegisterImagesRequest, required: true, examples: { one_slot: examples.registerRequestExample } },
    answers: [
      { status: 202, description: 'Registered.', schema: RegisterImagesResponse, examples: { one_slot: examples.registeredExample } },
    ],
    errors: [...mutationErrors, 'slot_already_succeeded', 'validation_error'],
  },
  {
    method: 'post',
    path: `${REPORT}/analyze`,
    operationId: 'analyzeSlots',
    tag: 'Images',
    summary: 'Analyze slots again.',
    description: 'Without slots: every failed one. A listed slot that succeeded is measured again; a pending one is left alone.',
    scope: 'report:write',
    request: { schema: AnalyzeRequest, required: false, examples: { one_slot: examples.analyzeRequestExample, every_failed_slot: {} } },
    answers: [{ status: 202, description: 'Analysis starts.', schema: AnalyzeResponse, examples: { one_slot: examples.analyzeExample } }],
    errors: [...mutationErrors, 'validation_error'],
  },
];

const publication: readonly Endpoint[] = [
  {
    method: 'post',
    path: `${REPORT}/publish`,
    operationId: 'publishReport',
    tag: 'Publication',
    summary: 'Publish the share page.',
    description: 'Refused while the minimum success counts of the template are not met.',
    scope: 'report:publish',
    answers: [{ status: 200, description: 'Published.', schema: PublishResponse, examples: { published: examples.publishExample } }],
    errors: [...mutationErrors, 'publish_requirements_unmet'],
  },
  {
    method: 'get',
    path: `${REPORT}/share`,
    operationId: 'getShare',
    tag: 'Publication',
    summary: 'Read the state of the share link.',
    description: 'Expiry and revocation of the link, and whether its page is open.',
    scope: 'report:read',
    answers: [
      {
        status: 200,
        description: 'The share link.',
        schema: ShareRecord,
        examples: { active: examples.shareExample, revoked: examples.revokedShareExample },
      },
    ],
    errors: ['not_found'],
  },
  {
    method: 'post',
    path: `${REPORT}/share`,
    operationId: 'reissueShare',
    tag: 'Publication',
    summary: 'Issue a new share link.',
    description: 'The old link never opens again.',
    scope: 'report:publish',
    answers: [{ status: 201, description: 'The new link.', schema: ShareRecord, examples: { active: examples.shareExample } }],
    errors: mutationErrors,
  },
  {
    method: 'delete',
    path: `${REPORT}/share`,
    operationId: 'revokeShare',
    tag: 'Publication',
    summary: 'Revoke the share link.',
    description: 'Only the link: `publication_status` stays unchanged and `links.share` becomes `null`.',
    scope: 'report:publish',
    answers: [{ status: 200, description: 'Revoked.', schema: ShareRecord, examples: { revoked: examples.revokedShareExample } }],
    errors: mutationErrors,
  },
  {
    method: 'delete',
    path: REPORT,
    operationId: 'discardReport',
    tag: 'Reports',
    summary: 'Discard the report.',
    description:
      'Repeatable, final. Afterwards reads give 404 and changes 409 `report_discarded`. On 503 `discard_incomplete` access has ended; repeat the same call until it is 200.',
    scope: 'report:discard',
    answers: [{ status: 200, description: 'Discarded.', schema: DiscardResponse, examples: { discarded: examples.discardExample } }],
    errors: ['not_found', 'report_purge_pending', 'discard_incomplete'],
  },
];

export const ENDPOINTS: readonly Endpoint[] = [creation, ...reads, ...measuring, ...publication];
