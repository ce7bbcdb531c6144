import { ReportCompleted } from '../api';
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

/** The request that the service sends to the callback_url of a report. */
export const REPORT_COMPLETED_CALLBACK = {
  reportCompleted: {
    '{$request.body#/callback_url}': {
      post: {
        operationId: 'reportCompleted',
        tags: ['Reports'],
        summary: 'The service notifies `callback_url` that the report is complete.',
        description:
          'Sent once for each completed analysis revision, signed as Standard Webhooks describe with the `whsec_` secret of the project. ' +
          'It may arrive more than once, with the same `webhook-id`, and in any order. It tells when to read; read the values from ' +
          '`GET /reports/{report_id}`. It is retried with backoff and jitter for 3 days until it is received. ' +
          'Respond within 15 seconds; redirects are not followed.',
        security: [],
        parameters: [
          header('webhook-id', 'The id of the message; the same in every attempt.', '01978a34-9d00-7000-8000-000000000004'),
          header('webhook-timestamp', 'Seconds since 1970 at which this attempt was signed. Refuse old ones.', '1795233913'),
          header(
            'webhook-signature',
            'v1, and the base64 of HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`. While a secret is rotated there are several, ' +
              'separated by spaces: one match is enough.',
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: { required: true, content: jsonBody(ReportCompleted, { complete: reportCompletedExample }) },
        responses: {
          '2XX': { description: 'Received; the body is ignored.' },
          '410': { description: 'Gone: this message is not retried.' },
          default: { description: 'The message is retried, not before your `Retry-After` if it is present.' },
        },
      },
    },
  },
};
