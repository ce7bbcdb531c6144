import {
  Delivery,
  type DeliveryDetail,
  type DeliveryList,
  type RotatedWebhookSecret,
  WebhookEvents,
  type WebhookSecretState,
} from '@tire/contracts/console';
import type { ReplayRequest, ReplayResponse } from '@tire/contracts/api';
import type { shareApi } from '@tire/contracts/grpc';
import { callbackFaults, refuseFaulty } from '@tire/kernel';
import { SHARE, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PLAIN_CALLBACKS } from '../tokens';
import { Audit } from '../audit/audit';
import type { ProjectMember } from '../edge/callers';

@Injectable()
export class CallbacksService {
  constructor(
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    private readonly audit: Audit,
    @Inject(PLAIN_CALLBACKS) private readonly plainCallbacks: boolean,
  ) {}

  async secrets(projectId: string): Promise<WebhookSecretState> {
    const { secrets } = await this.share.getWebhookSecrets({ projectId });
    return { secrets: secrets.map(({ createdAt, expiresAt }) => ({ created_at: createdAt, expires_at: expiresAt ?? null })) };
  }

  async rotate(caller: ProjectMember, overlapHours: number): Promise<RotatedWebhookSecret> {
    const details = { overlap_hours: String(overlapHours) };
    const work = this.share.rotateWebhookSecret({ projectId: caller.projectId, overlapHours });
    const { secret } = await this.audit.after(caller, work, { action: 'webhook_secret.rotated', details });
    return { secret };
  }

  async events(projectId: string): Promise<WebhookEvents> {
    return WebhookEvents.parse(await this.share.getChosenEvents({ projectId }));
  }

  async chooseEvents(caller: ProjectMember, events: WebhookEvents['events']): Promise<WebhookEvents> {
    const work = this.share.chooseEvents({ projectId: caller.projectId, events });
    const details = { events: events.join(', ') };
    return WebhookEvents.parse(await this.audit.after(caller, work, { action: 'webhook_events.changed', details }));
  }

  async replay(projectId: string, request: ReplayRequest): Promise<ReplayResponse> {
    const { replayed, nextCursor } = await this.share.replayCallbacks({
      projectId,
      queuedFrom: request.queued_from,
      queuedBefore: request.queued_before,
      state: request.state ?? undefined,
      types: request.types ?? [],
      cursor: request.cursor ?? undefined,
    });
    return { replayed, next_cursor: nextCursor ?? null };
  }

  async list(
    projectId: string,
    { report_id: reportId, state, cursor, limit }: { report_id?: string; state?: string; cursor?: string; limit: number },
  ): Promise<DeliveryList> {
    const { callbacks, nextCursor } = await this.share.listCallbacks({ projectId, reportId, state, cursor, limit });
    return { deliveries: callbacks.map(deliveryOf), next_cursor: nextCursor ?? null };
  }

  async one(projectId: string, callbackId: string): Promise<DeliveryDetail> {
    const { callback, body, attempts } = await this.share.getCallback({ projectId, callbackId });
    return {
      delivery: deliveryOf(callback),
      body,
      attempts: attempts.map(({ number, startedAt, durationMs, httpStatus, failure, answer }) => ({
        number,
        started_at: startedAt,
        duration_ms: durationMs,
        http_status: httpStatus ?? null,
        failure: failure ?? null,
        answer: answer ? new TextDecoder().decode(answer) : null,
      })),
    };
  }

  async resend(caller: ProjectMember, callbackId: string): Promise<Delivery> {
    const work = this.share.resendCallback({ projectId: caller.projectId, callbackId });
    const { callback } = await this.audit.after(caller, work, { action: 'callback.resent', subject: callbackId });
    return deliveryOf(callback);
  }

  async sendTest(caller: ProjectMember, url: string): Promise<Delivery> {
    refuseFaulty(callbackFaults(url, 'url', this.plainCallbacks));
    const work = this.share.sendTestCallback({ projectId: caller.projectId, url });
    const { callback } = await this.audit.after(caller, work, (sent) => ({
      action: 'callback.tested',
      subject: sent.callback?.callbackId,
      details: { origin: new URL(url).origin },
    }));
    return deliveryOf(callback);
  }
}

/** The API of the console names a callback a delivery. */
function deliveryOf(callback: shareApi.Callback | undefined): Delivery {
  return Delivery.parse({
    callback_id: callback?.callbackId,
    type: callback?.type,
    report_id: callback?.reportId ?? null,
    url: callback?.url,
    state: callback?.state,
    queued_at: callback?.queuedAt,
    next_attempt_at: callback?.nextAttemptAt ?? null,
    attempt_count: callback?.attemptCount,
    http_status: callback?.httpStatus ?? null,
    failure: callback?.failure ?? null,
  });
}
