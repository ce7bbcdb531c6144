import {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  RotateWebhookSecretRequest,
  RotatedWebhookSecret,
  SendTestRequest,
  WebhookEvents,
  WebhookSecretState,
} from '../console/observation';
import { ListenedCallbacks, ReplayRequest, ReplayResponse } from '../api';
import { LISTENED_HOURS, LISTENED_PAGE_MAX, LISTENER_MINUTES, REPLAY_MAX } from '../limits';
import * as examples from './examples/callbacks';
import type { Operation } from './operation';
import { PAGE_BY_ID, POLL_CALLBACKS, oneOf, optionalId } from './parameters';
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
  getWebhookEvents: {
    method: 'get',
    console: { path: `${PROJECT}/webhook-events`, access: 'webhooks.read' },
    summary: 'What the project is notified of.',
    responses: [{ status: 200, schema: WebhookEvents }],
  },
  changeWebhookEvents: {
    method: 'patch',
    console: { path: `${PROJECT}/webhook-events`, access: 'webhooks.manage' },
    summary: 'Choose what the project is notified of, from now on.',
    body: { schema: WebhookEvents },
    responses: [{ status: 200, schema: WebhookEvents }],
  },
  replayCallbacks: {
    method: 'post',
    api: { path: '/webhooks/replay', scope: 'report:write', tag: 'Callbacks', additional: true },
    summary: 'Send the callbacks of a period again.',
    description:
      `Up to ${REPLAY_MAX} ended callbacks, the oldest first; for the others, send \`next_cursor\` as \`cursor\` until it is null. A part of a ` +
      `long period may hold none. While ${REPLAY_MAX} of the project wait that were sent again, the answer is 429. Each ` +
      'keeps its body and its `webhook-id`, so a receiver that knows the id can ignore it. Callbacks that are still being sent, test events ' +
      'and those of discarded reports are left alone.',
    body: { schema: ReplayRequest, examples: { abandoned: examples.replayRequestExample } },
    responses: [{ status: 202, description: 'They are sent.', schema: ReplayResponse, examples: { all: examples.replayExample } }],
    errors: ['validation_error'],
  },
  listenToCallbacks: {
    method: 'get',
    api: { path: '/callbacks', scope: 'report:read', tag: 'Callbacks', additional: true },
    summary: 'Read the callbacks of a test project as they are sent.',
    description:
      'For a laptop without a public address, as `tire listen` does it. A request without `after` begins: from then on, and for ' +
      `${LISTENER_MINUTES} minutes after each further one, the callbacks of the project are recorded, those of all events, also of reports ` +
      `without a \`callback_url\`. The next one has \`after\`, and gets up to ${LISTENED_PAGE_MAX} callbacks in their order, or waits for one. ` +
      `Each is the request that a \`callback_url\` would get, and can be read for ${LISTENED_HOURS} hours. A key may wait with 4 requests at ` +
      'once and a project with 8; more get 429. With a live key 403: callbacks of a live project go to its servers only.',
    query: POLL_CALLBACKS,
    refusesUnknownQuery: true,
    waits: true,
    responses: [
      {
        status: 200,
        description: 'What was recorded after the cursor; nothing if nothing happened.',
        schema: ListenedCallbacks,
        examples: { completed: examples.listenedExample, nothing: { ...examples.listenedExample, callbacks: [] } },
      },
    ],
    errors: ['validation_error'],
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
