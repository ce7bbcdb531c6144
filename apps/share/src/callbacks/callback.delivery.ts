import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@tire/kernel';
import {
  ATTRIBUTES,
  batched,
  counter,
  Database,
  METRICS,
  type Outbound,
  OutboundError,
  SPANS,
  traceHeaders,
  withRemoteTrace,
} from '@tire/platform';
import { Webhook } from 'standardwebhooks';
import { type AttemptOutcome, type NextStep, nextStep } from '../domain/callback-schedule';
import { OUTBOUND } from '../tokens';
import { currentSecrets } from '../webhooks/webhook-secret.store';
import { type Attempt, type ClaimedCallback, type EndedAttempt, recordAttempts } from './callback.store';

const TIMEOUT_MS = 15_000;
// A person reads the answer to find a fault. The first kilobyte is stored, and the rest is not awaited.
const ANSWER_BYTES_MAX = 1_024;

/** After how long the receiver answered. Null if it did not answer. */
export interface DeliveryResult {
  readonly answeredMs: number | null;
}

/** Makes one attempt at one callback, in the trace of the request that created the report. */
@Injectable()
export class CallbackDelivery {
  private readonly attempts = counter(METRICS.callbackAttempts, 'Attempts to send a callback, by how they ended');

  /** Attempts that end together are recorded in one statement. One transaction each would be most of the cost of a callback. */
  private readonly record: (ended: EndedAttempt) => Promise<void>;

  constructor(
    private readonly database: Database,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const recordAll = async (ended: EndedAttempt[]): Promise<void[]> => {
      await recordAttempts(database, ended);
      return ended.map(() => undefined);
    };
    this.record = batched(recordAll, { callsMax: 1, requestsPerCallMax: 256, waitingMax: 10_000, deadlineMs: 20_000 });
  }

  attempt(callback: ClaimedCallback): Promise<DeliveryResult> {
    const attributes = callback.reportId === null ? {} : { [ATTRIBUTES.reportId]: callback.reportId };
    return withRemoteTrace(callback.traceHeaders, SPANS.callbackSend, attributes, async () => {
      const startedAt = this.clock.now();
      const began = performance.now();
      const { outcome, answer } = await this.send(callback, startedAt);
      const durationMs = Math.round(performance.now() - began);
      const answered = outcome.kind === 'answered';
      const next = this.nextStep(callback, outcome);
      this.attempts.add(1, {
        [ATTRIBUTES.outcome]: next.kind,
        [ATTRIBUTES.reason]: answered ? statusClass(outcome.status) : outcome.reason,
      });
      const attempt: Attempt = {
        startedAt,
        durationMs,
        httpStatus: answered ? outcome.status : null,
        failure: answered ? null : outcome.reason,
        answer,
      };
      await this.record({ callback, attempt, next });
      return { answeredMs: answered ? durationMs : null };
    });
  }

  private nextStep({ type, attemptOfSchedule, triedSince }: ClaimedCallback, outcome: AttemptOutcome): NextStep {
    const step = nextStep(attemptOfSchedule, outcome, triedSince, this.clock.now(), Math.random());
    // A person who sends a test looks at its outcome now, not in three days.
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
        maxBytes: ANSWER_BYTES_MAX,
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
    return this.database.withProject(projectId, (tx) => currentSecrets(tx, projectId, at));
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
