import {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  RotateWebhookSecretRequest,
  RotatedWebhookSecret,
  SendTestRequest,
  WebhookSecretState,
} from '../console/observation';
import type { Operation } from './operation';
import { PAGE_BY_ID, oneOf, optionalId } from './parameters';
import { PROJECT } from './paths';

/** Callbacks, which the console and the paths of its API name deliveries, and the secrets that sign them. */
export const CALLBACK_OPERATIONS = {
  getWebhookSecret: {
    method: 'get',
    console: { path: `${PROJECT}/webhook-secret`, access: 'webhooks.read' },
    summary: 'Which signing secrets the project has, without their values.',
    responses: [{ status: 200, schema: WebhookSecretState }],
  },
  rotateWebhookSecret: {
    method: 'post',
    console: { path: `${PROJECT}/webhook-secret`, access: 'webhooks.manage' },
    summary: 'Create a new signing secret, which signs at once; it is shown only in this response.',
    body: { schema: RotateWebhookSecretRequest },
    responses: [{ status: 201, schema: RotatedWebhookSecret }],
  },
  listDeliveries: {
    method: 'get',
    console: { path: `${PROJECT}/deliveries`, access: 'webhooks.read' },
    summary: 'Sent and pending callbacks.',
    query: {
      ...PAGE_BY_ID,
      report_id: optionalId('Only those of one report.'),
      state: oneOf(Delivery.shape.state, 'Only those in one state.'),
    },
    responses: [{ status: 200, schema: DeliveryList }],
    errors: ['validation_error'],
  },
  getDelivery: {
    method: 'get',
    console: { path: `${PROJECT}/deliveries/{callback_id}`, access: 'webhooks.read' },
    summary: 'One delivery with its body and every attempt.',
    responses: [{ status: 200, schema: DeliveryDetail }],
  },
  resendDelivery: {
    method: 'post',
    console: { path: `${PROJECT}/deliveries/{callback_id}/resend`, access: 'webhooks.send' },
    summary: 'Send it again: the same body under the same id.',
    responses: [{ status: 202, schema: Delivery }],
    errors: ['report_discarded'],
  },
  sendTestDelivery: {
    method: 'post',
    console: { path: `${PROJECT}/deliveries/test`, access: 'webhooks.send' },
    summary: 'Send a test event, which concerns no report, to an address once.',
    body: { schema: SendTestRequest },
    responses: [{ status: 202, schema: Delivery }],
  },
} as const satisfies Record<string, Operation>;
