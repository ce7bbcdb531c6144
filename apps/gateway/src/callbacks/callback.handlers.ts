import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { CallbacksService } from './callbacks.service';
import { ListeningService } from './listening.service';

@Injectable()
export class CallbackHandlers {
  constructor(
    private readonly callbacks: CallbacksService,
    private readonly listening: ListeningService,
  ) {}

  readonly handlers = {
    getWebhookSecret: ({ caller }) => this.callbacks.secrets(caller.projectId),
    rotateWebhookSecret: ({ caller, body }) => this.callbacks.rotate(caller, body.overlap_hours),
    getWebhookEvents: ({ caller }) => this.callbacks.events(caller.projectId),
    changeWebhookEvents: ({ caller, body }) => this.callbacks.chooseEvents(caller, body.events),
    listenToCallbacks: ({ caller, query, request }) => this.listening.answer(caller, request, query),
    replayCallbacks: ({ caller, body }) => this.callbacks.replay(caller.projectId, body),
    listDeliveries: ({ caller, query }) => this.callbacks.list(caller.projectId, query),
    getDelivery: ({ caller, params }) => this.callbacks.one(caller.projectId, params.callback_id),
    resendDelivery: ({ caller, params }) => this.callbacks.resend(caller, params.callback_id),
    sendTestDelivery: ({ caller, body }) => this.callbacks.sendTest(caller, body.url),
  } satisfies Partial<OperationHandlers>;
}
