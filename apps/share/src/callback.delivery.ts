import { Inject, Injectable } from '@nestjs/common';
import { ATTRIBUTES, Database, type Outbound, OutboundError, SPANS, traceHeaders, withRemoteTrace } from '@tire/platform';
import { Webhook } from 'standardwebhooks';
import { type Attempt, CallbackStore, type ClaimedCallback } from './callback.store';
import { type AttemptOutcome, nextStep } from './domain/callback-schedule';
import { SETTINGS, type Settings } from './settings';
import { WebhookSecretsStore } from './webhook-secrets.store';

export const OUTBOUND = Symbol('outbound');

const TIMEOUT_MS = 15_000;
// Answers are for a person who looks for a fault: the first kilobyte is kept, and the rest is not waited for.
const ANSWER_KEPT_BYTES = 1_024;

/** One attempt at one callback, in the trace of the request that made the report. */
@Injectable()
export class CallbackDelivery {
  constructor(
    private readonly database: Database,
    private readonly store: CallbackStore,
    private readonly secrets: WebhookSecretsStore,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  attempt(callback: ClaimedCallback): Promise<void> {
    const attributes = { [ATTRIBUTES.reportId]: callback.reportId };
    return withRemoteTrace(callback.traceHeaders, SPANS.callbackSend, attributes, async () => {
      const startedAt = this.settings.clock.now();
      const { outcome, answer } = await this.send(callback, startedAt);
      const endedAt = this.settings.clock.now();
      const attempt: Attempt = {
        startedAt,
        durationMs: endedAt.getTime() - startedAt.getTime(),
        httpStatus: outcome.kind === 'answered' ? outcome.status : null,
        failure: outcome.kind === 'unanswered' ? outcome.reason : null,
        answer,
      };
      await this.store.settle(callback, attempt, nextStep(callback.attempt, outcome, callback.queuedAt, endedAt, Math.random()));
    });
  }

  private async send(callback: ClaimedCallback, at: Date): Promise<{ outcome: AttemptOutcome; answer: Buffer | null }> {
    const secrets = await this.database.withProject(callback.projectId, (tx) => this.secrets.current(tx, callback.projectId, at));
    try {
      const response = await this.outbound.request(callback.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'tire-inspection-callback/1.0',
          ...traceHeaders(),
          ...signed(callback, secrets, at),
        },
        body: callback.body,
        maxRedirects: 0,
        timeoutMs: TIMEOUT_MS,
        maxBytes: ANSWER_KEPT_BYTES,
        beyondMaxBytes: 'cut',
      });
      const retryAfter = response.headers['retry-after'];
      return {
        outcome: {
          kind: 'answered',
          status: response.status,
          retryAfter: (Array.isArray(retryAfter) ? retryAfter[0] : retryAfter) ?? null,
        },
        answer: response.body,
      };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { outcome: { kind: 'unanswered', reason: error.reason }, answer: null };
    }
  }
}

/** Standard Webhooks: during a rotation the message carries one signature for each secret. */
function signed({ id, body }: ClaimedCallback, secrets: readonly string[], at: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
