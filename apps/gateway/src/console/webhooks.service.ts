import {
  Delivery,
  type DeliveryDetail,
  type DeliveryList,
  type RotatedWebhookSecret,
  type shareApi,
  type WebhookSecretState,
} from '@tire/contracts';
import { DomainError, isUuid, requireCallable } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PLAIN_CALLBACKS, SHARE } from '../tokens';
import { Audit } from './audit';
import type { SignedInVisitor } from './door';
import { idCursor, type Page } from './page';

@Injectable()
export class Webhooks {
  constructor(
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    private readonly audit: Audit,
    @Inject(PLAIN_CALLBACKS) private readonly plainCallbacks: boolean,
  ) {}

  async secrets(projectId: string): Promise<WebhookSecretState> {
    const { secrets } = await this.share.getWebhookSecrets({ projectId });
    return { secrets: secrets.map(({ createdAt, expiresAt }) => ({ created_at: createdAt, expires_at: expiresAt ?? null })) };
  }

  async rotate(visitor: SignedInVisitor, projectId: string, overlapHours: number): Promise<RotatedWebhookSecret> {
    const details = { overlap_hours: String(overlapHours) };
    const work = this.share.rotateWebhookSecret({ projectId, overlapHours });
    const { secret } = await this.audit.after(visitor, work, () => ({ action: 'webhook_secret.rotated', projectId, details }));
    return { secret };
  }

  async list(projectId: string, page: Page, query: Record<string, unknown>): Promise<DeliveryList> {
    const [reportId, state] = [optional(query, 'report_id', isUuid), optional(query, 'state', isState)];
    const cursor = idCursor(page) ?? undefined;
    const { callbacks, nextCursor } = await this.share.listCallbacks({ projectId, reportId, state, cursor, limit: page.limit });
    return { deliveries: callbacks.map(delivery), next_cursor: nextCursor ?? null };
  }

  async one(projectId: string, callbackId: string): Promise<DeliveryDetail> {
    const { callback, body, attempts } = await this.share.getCallback({ projectId, callbackId });
    return {
      delivery: delivery(callback),
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

  async resend(visitor: SignedInVisitor, projectId: string, callbackId: string): Promise<Delivery> {
    const work = this.share.resendCallback({ projectId, callbackId });
    const { callback } = await this.audit.after(visitor, work, () => ({ action: 'callback.resent', projectId, subject: callbackId }));
    return delivery(callback);
  }

  async sendTest(visitor: SignedInVisitor, projectId: string, url: string): Promise<Delivery> {
    requireCallable(url, 'url', this.plainCallbacks);
    const work = this.share.sendTestCallback({ projectId, url });
    const { callback } = await this.audit.after(visitor, work, (answer) => ({
      action: 'callback.tested',
      projectId,
      subject: answer.callback?.callbackId,
      details: { origin: new URL(url).origin },
    }));
    return delivery(callback);
  }
}

const isState = (text: string): boolean => Delivery.shape.state.safeParse(text).success;

function optional(query: Record<string, unknown>, param: string, isOne: (text: string) => boolean): string | undefined {
  const value = query[param];
  if (value === undefined || (typeof value === 'string' && isOne(value))) return value;
  throw new DomainError('validation_error', { param, message: `${param}: is not one.` });
}

function delivery(callback: shareApi.Callback | undefined): Delivery {
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
