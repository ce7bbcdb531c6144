import { CaptureFinished, ContentReady, ReportCompleted, ReportFailed, ReportPartial, ShareRevoked } from '../api';
import type { z } from 'zod';
import * as callbacks from '../operations/examples/callbacks';
import { reportCompletedExample } from '../operations/examples/reports';
import { jsonBody } from './parts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS = [
  header('webhook-id', 'The id of the message; the same in every attempt.', '01978a34-9d00-7000-8000-000000000004'),
  header('webhook-timestamp', 'Seconds since 1970 at which this attempt was signed. Refuse old ones.', '1795233913'),
  header(
    'webhook-signature',
    'v1, and the base64 of HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`. While a secret is rotated there are several, ' +
      'separated by spaces: one match is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'Received; the body is ignored.' },
  '410': { description: 'Gone: this message is not retried.' },
  default: { description: 'The message is retried, not before your `Retry-After` if it is present.' },
};

const HOW =
  'signed as Standard Webhooks describe with the `whsec_` secret of the project. ' +
  'It may arrive more than once, with the same `webhook-id`, and in any order. It tells when to read; read the values from ' +
  '`GET /reports/{report_id}`. It is retried with backoff and jitter for 3 days until it is received. ' +
  'Respond within 15 seconds; redirects are not followed.';

interface Notification {
  readonly summary: string;
  readonly when: string;
  readonly schema: z.ZodType;
  readonly example: object;
  /** Only if a member of the project chose it. */
  readonly chosen?: true;
}

const NOTIFICATIONS: Readonly<Record<string, Notification>> = {
  reportCompleted: {
    summary: 'The service notifies `callback_url` that the report is complete.',
    when: 'Sent once for each completed analysis revision',
    schema: ReportCompleted,
    example: reportCompletedExample,
  },
  reportPartial: {
    summary: 'The service notifies `callback_url` that the analysis ended, but images have to be replaced.',
    when: 'Sent once for each analysis revision that is partial',
    schema: ReportPartial,
    example: callbacks.reportPartialExample,
    chosen: true,
  },
  reportFailed: {
    summary: 'The service notifies `callback_url` that no image could be measured.',
    when: 'Sent once for each analysis revision that failed',
    schema: ReportFailed,
    example: callbacks.reportFailedExample,
    chosen: true,
  },
  contentReady: {
    summary: 'The service notifies `callback_url` of a new content revision.',
    when: 'Sent once for each content revision, beside report.completed',
    schema: ContentReady,
    example: callbacks.contentReadyExample,
    chosen: true,
  },
  shareRevoked: {
    summary: 'The service notifies `callback_url` that the share link was revoked.',
    when: 'Sent when the link is revoked; not when a new link replaces it, nor when the report is discarded',
    schema: ShareRevoked,
    example: callbacks.shareRevokedExample,
    chosen: true,
  },
  captureFinished: {
    summary: 'The service notifies `callback_url` that somebody with the capture link has taken all photographs.',
    when: 'Sent once for each capture link; images may still be measured then',
    schema: CaptureFinished,
    example: callbacks.captureFinishedExample,
    chosen: true,
  },
};

const callbackOf = (operationId: string, { summary, when, schema, example, chosen }: Notification) => ({
  '{$request.body#/callback_url}': {
    post: {
      operationId,
      ...(chosen && { 'x-additional': true }),
      tags: ['Callbacks'],
      summary,
      description: `${chosen ? 'Only if the project chose it in the console. ' : ''}${when}, ${HOW}`,
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: jsonBody(schema, { example }) },
      responses: RESPONSES,
    },
  },
});

/** The requests that the service sends to the callback_url of a report. */
export const REPORT_CALLBACKS = Object.fromEntries(
  Object.entries(NOTIFICATIONS).map(([operationId, notification]) => [operationId, callbackOf(operationId, notification)]),
);
