import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { Webhooks } from './webhooks.service';

@Injectable()
export class WebhookHandlers {
  constructor(private readonly webhooks: Webhooks) {}

  readonly handlers = {
    getWebhookSecret: ({ caller }) => this.webhooks.secrets(caller.projectId),
    rotateWebhookSecret: ({ caller, body }) => this.webhooks.rotate(caller, body.overlap_hours),
    listDeliveries: ({ caller, query }) => this.webhooks.list(caller.projectId, query),
    getDelivery: ({ caller, params }) => this.webhooks.one(caller.projectId, params.callback_id),
    resendDelivery: ({ caller, params }) => this.webhooks.resend(caller, params.callback_id),
    sendTestDelivery: ({ caller, body }) => this.webhooks.sendTest(caller, body.url),
  } satisfies Partial<OperationHandlers>;
}
