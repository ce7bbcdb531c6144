import { PAGE, PROJECT, type ConsoleEndpoint } from './endpoint';
import {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  RequestList,
  RotatedWebhookSecret,
  RotateWebhookSecretRequest,
  SendTestRequest,
  Usage,
  WebhookSecretState,
} from './observation';

const uuid = { type: 'string', format: 'uuid' };

const date = (description: string) => ({ description, schema: { type: 'string', format: 'date' }, required: true });
const period = { from: date('First day, in UTC.'), to: date('Last day, included; at most 92 days.') };

export const WEBHOOK_ENDPOINTS: readonly ConsoleEndpoint[] = [
  {
    operationId: 'getWebhookSecret',
    method: 'get',
    path: `${PROJECT}/webhook-secret`,
    summary: 'Which signing secrets the project has; never the secrets.',
    access: 'webhooks.read',
    status: 200,
    answer: WebhookSecretState,
  },
  {
    operationId: 'rotateWebhookSecret',
    method: 'post',
    path: `${PROJECT}/webhook-secret`,
    summary: 'Make a new signing secret, which signs at once; it is answered this one time.',
    access: 'webhooks.manage',
    request: RotateWebhookSecretRequest,
    status: 201,
    answer: RotatedWebhookSecret,
  },
  {
    operationId: 'listDeliveries',
    method: 'get',
    path: `${PROJECT}/deliveries`,
    summary: 'What was and is to be sent to receivers.',
    access: 'webhooks.read',
    query: {
      ...PAGE,
      report_id: { description: 'Only those of one report.', schema: uuid },
      state: { description: 'Only those in one state.', schema: { type: 'string', enum: ['pending', 'delivered', 'abandoned'] } },
    },
    status: 200,
    answer: DeliveryList,
    errors: ['validation_error'],
  },
  {
    operationId: 'getDelivery',
    method: 'get',
    path: `${PROJECT}/deliveries/{callback_id}`,
    summary: 'One delivery with its body and every attempt.',
    access: 'webhooks.read',
    status: 200,
    answer: DeliveryDetail,
  },
  {
    operationId: 'resendDelivery',
    method: 'post',
    path: `${PROJECT}/deliveries/{callback_id}/resend`,
    summary: 'Send it again: the same body under the same id.',
    access: 'webhooks.send',
    status: 202,
    answer: Delivery,
    errors: ['report_discarded'],
  },
  {
    operationId: 'sendTestDelivery',
    method: 'post',
    path: `${PROJECT}/deliveries/test`,
    summary: 'Try an address once with an event that says nothing of any report.',
    access: 'webhooks.send',
    request: SendTestRequest,
    status: 202,
    answer: Delivery,
  },
];

export const LOG_ENDPOINTS: readonly ConsoleEndpoint[] = [
  {
    operationId: 'listRequests',
    method: 'get',
    path: `${PROJECT}/requests`,
    summary: 'What the keys of the project asked of the API in the last 7 days.',
    access: 'request_log.read',
    query: { ...PAGE, key_id: { description: 'Only those of one key.', schema: uuid } },
    status: 200,
    answer: RequestList,
    errors: ['validation_error'],
  },
];

export const USAGE_ENDPOINTS: readonly ConsoleEndpoint[] = [
  {
    operationId: 'getUsage',
    method: 'get',
    path: `${PROJECT}/usage`,
    summary: 'Reports, photographs, failures and callbacks by day.',
    access: 'usage.read',
    query: period,
    status: 200,
    answer: Usage,
    errors: ['validation_error'],
  },
  {
    operationId: 'getUsageCsv',
    method: 'get',
    path: `${PROJECT}/usage.csv`,
    summary: 'The same as a table: text/csv, one row a day.',
    access: 'usage.read',
    query: period,
    status: 200,
    errors: ['validation_error'],
  },
];
