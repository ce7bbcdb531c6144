import { Content } from '../api';
import * as examples from './examples/content';
import type { HeaderName } from './headers';
import type { Operation, Response } from './operation';
import { IF_NONE_MATCH } from './parameters';
import { PROJECT_REPORT, REPORT } from './paths';

const CONTENT_HEADERS: readonly HeaderName[] = ['ETag', 'Content-Location', 'Cache-Control'];

const UNCHANGED = {
  status: 304,
  description: 'The content that If-None-Match names is still current; no body.',
  headers: CONTENT_HEADERS,
} as const satisfies Response;

export const CONTENT_OPERATIONS = {
  getContent: {
    method: 'get',
    api: { path: `${REPORT}/content`, scope: 'report:read', tag: 'Content' },
    summary: 'Read the current content (report-content.v1).',
    description:
      'Content of the current analysis revision. While slots are analyzed again it is pending, even if an older revision exists.',
    headers: IF_NONE_MATCH,
    responses: [
      {
        status: 200,
        description: 'Ready, or failed: then without `ETag` and with `error.code`.',
        schema: Content,
        headers: CONTENT_HEADERS,
        examples: { ready: examples.readyContentExample, failed: examples.failedContentExample },
      },
      {
        status: 202,
        description: 'Not ready yet.',
        schema: Content,
        headers: ['Retry-After', 'Cache-Control'],
        examples: { pending: examples.pendingContentExample },
      },
      UNCHANGED,
    ],
    errors: ['not_found', 'content_unavailable_for_legacy'],
  },
  getContentRevision: {
    method: 'get',
    api: { path: `${REPORT}/content/{content_revision}`, scope: 'report:read', tag: 'Content' },
    summary: 'Read one fixed content revision.',
    description: 'Its JSON never changes; readable while the report is accessible.',
    headers: IF_NONE_MATCH,
    responses: [
      {
        status: 200,
        description: 'The revision.',
        schema: Content,
        headers: CONTENT_HEADERS,
        examples: { ready: examples.readyContentExample },
      },
      UNCHANGED,
    ],
    errors: ['not_found', 'content_unavailable_for_legacy'],
  },
  getReportContent: {
    method: 'get',
    console: { path: `${PROJECT_REPORT}/content`, access: 'reports.read' },
    summary: 'What the customer reads, as report-content.v1; status pending while it is not ready.',
    responses: [{ status: 200, schema: Content }],
    errors: ['content_unavailable_for_legacy'],
  },
} as const satisfies Record<string, Operation>;
