import { Inject, Injectable } from '@nestjs/common';
import { ATTRIBUTES, counter, Database, METRICS, type Outbound, OutboundError, SPANS, traceHeaders, withRemoteTrace } from '@tire/platform';
import { Webhook } from 'standardwebhooks';
import { type Attempt, CallbackStore, type ClaimedCallback } from './callback.store';
import { type AttemptOutcome, type NextStep, nextStep } from './domain/callback-schedule';
import { SETTINGS, type Settings } from './settings';
import { WebhookSecretsStore } from './webhook-secrets.store';

export const OUTBOUND = Symbol('outbound');

const TIMEOUT_MS = 15_000;
// Answers are for a person who looks for a fault: the first kilobyte is kept, and the rest is not waited for.
const ANSWER_KEPT_BYTES = 1_024;

/** How a try ended: after how long the receiver answered, null where it did not. */
export interface Tried {
  readonly answeredMs: number | null;
}

/** One attempt at one callback, in the trace of the request that made the report. */
@Injectable()
export class CallbackDelivery {
  private readonly tried = counter(METRICS.callbackAttempts, 'Attempts to send a callback, by how they ended');

  constructor(
    private readonly database: Database,
    private readonly store: CallbackStore,
    private readonly secrets: WebhookSecretsStore,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  attempt(callback: ClaimedCallback): Promise<Tried> {
    const attributes = callback.reportId === null ? {} : { [ATTRIBUTES.reportId]: callback.reportId };
    return withRemoteTrace(callback.traceHeaders, SPANS.callbackSend, attributes, async () => {
      const startedAt = this.settings.clock.now();
      const began = performance.now();
      const { outcome, answer } = await this.send(callback, startedAt);
      const durationMs = Math.round(performance.now() - began);
      const answered = outcome.kind === 'answered';
      const next = this.nextStep(callback, outcome);
      this.tried.add(1, { [ATTRIBUTES.outcome]: next.kind, [ATTRIBUTES.reason]: answered ? statusClass(outcome.status) : outcome.reason });
      const attempt: Attempt = {
        startedAt,
        durationMs,
        httpStatus: answered ? outcome.status : null,
        failure: answered ? null : outcome.reason,
        answer,
      };
      await this.store.settle(callback, attempt, next);
      return { answeredMs: answered ? durationMs : null };
    });
  }

  private nextStep({ type, attemptOfSchedule, triedSince }: ClaimedCallback, outcome: AttemptOutcome): NextStep {
    const step = nextStep(attemptOfSchedule, outcome, triedSince, this.settings.clock.now(), Math.random());
    // Whoever sends a test looks at its outcome now, and not in three days.
    return type === 'callback.test' && step.kind === 'retry' ? { kind: 'abandoned', reason: 'given_up' } : step;
  }

  private async send(callback: ClaimedCallback, at: Date): Promise<{ outcome: AttemptOutcome; answer: Buffer | null }> {
    const secrets = callback.secrets.length > 0 ? callback.secrets : await this.firstSecret(callback, at);
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

  private firstSecret({ projectId }: ClaimedCallback, at: Date): Promise<string[]> {
    return this.database.withProject(projectId, (tx) => this.secrets.current(tx, projectId, at));
  }
}

const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`;

/** Standard Webhooks: during a rotation the message carries one signature for each secret. */
function signed({ id, body }: ClaimedCallback, secrets: readonly string[], at: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
