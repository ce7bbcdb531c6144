import { ReportCompleted } from '../api';
import { reportCompletedExample } from './examples';
import { jsonBody } from './parts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** What the service sends to the callback_url of a report. */
export const REPORT_COMPLETED_CALLBACK = {
  reportCompleted: {
    '{$request.body#/callback_url}': {
      post: {
        operationId: 'reportCompleted',
        tags: ['Reports'],
        summary: 'The service tells `callback_url` that the report is complete.',
        description:
          'Once for each completed analysis revision, signed as Standard Webhooks describe with the `whsec_` secret of the project. ' +
          'It may arrive more than once, with the same `webhook-id` then, and in any order; it says when to read, and the values are those of ' +
          '`GET /reports/{report_id}`. It is sent again with backoff and jitter for 3 days until it is received. ' +
          'Answer within 15 seconds; redirects are not followed.',
        security: [],
        parameters: [
          header('webhook-id', 'Names the message; the same in every attempt.', '01978a34-9d00-7000-8000-000000000004'),
          header('webhook-timestamp', 'Seconds since 1970 at which this attempt was signed. Refuse old ones.', '1795233913'),
          header(
            'webhook-signature',
            'v1, and the base64 of HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`; several, apart by spaces, ' +
              'while a secret is rotated: one that matches is enough.',
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: { required: true, content: jsonBody(ReportCompleted, { complete: reportCompletedExample }) },
        responses: {
          '2XX': { description: 'Received; the body is ignored.' },
          '410': { description: 'Gone: this message is not sent again.' },
          default: { description: 'It is sent again, not before your `Retry-After` where there is one.' },
        },
      },
    },
  },
};
