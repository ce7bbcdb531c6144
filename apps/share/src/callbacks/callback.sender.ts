import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@tire/kernel';
import {
  ATTRIBUTES,
  batched,
  counter,
  Database,
  logger,
  METRICS,
  type Outbound,
  OUTBOUND,
  OutboundError,
  SPANS,
  traceHeaders,
  withRemoteTrace,
} from '@tire/platform';
import type { Config } from '../config';
import { type AttemptOutcome, type NextStep, nextStep, ON_PURPOSE } from '../domain/callback-schedule';
import type { AnsweredMs } from '../domain/receivers';
import { CONFIG } from '../tokens';
import { currentSecrets, openedSecrets } from '../webhook-secrets/webhook-secret.store';
import { signedHeaders } from './callback.signature';
import { type Attempt, type ClaimedCallback, type EndedAttempt, openBody, recordAttempts } from './callback.store';

const TIMEOUT_MS = 15_000;
// A person reads the answer to find a fault. The first kilobyte is stored, and the rest is not awaited.
const ANSWER_BYTES_MAX = 1_024;

export interface EndedSend {
  readonly answeredMs: AnsweredMs;
}

interface SignedMessage {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Makes one attempt at one callback, in the trace of the request that created the report. */
@Injectable()
export class CallbackSender {
  private readonly log = logger('callbacks');
  private readonly attempts = counter(METRICS.callbackAttempts, 'Attempts to send a callback, by how they ended');

  /** Attempts that end together are recorded in one statement. One transaction each would be most of the cost of a callback. */
  private readonly record: (ended: EndedAttempt) => Promise<void>;

  constructor(
    private readonly database: Database,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const recordAll = async (ended: EndedAttempt[]): Promise<void[]> => {
      await recordAttempts(database, ended);
      return ended.map(() => undefined);
    };
    const call = { callee: 'database' };
    this.record = batched(recordAll, { call, callsMax: 1, requestsPerCallMax: 256, waitingMax: 10_000, deadlineMs: 20_000 });
  }

  attempt(callback: ClaimedCallback): Promise<EndedSend> {
    const attributes = callback.reportId === null ? {} : { [ATTRIBUTES.reportId]: callback.reportId };
    return withRemoteTrace(callback.traceHeaders, SPANS.callbackSend, attributes, async () => {
      const startedAt = this.clock.now();
      const began = performance.now();
      const onPurpose = callback.attempt <= callback.failsFirst;
      const { outcome, answer } = onPurpose ? { outcome: ON_PURPOSE, answer: null } : await this.send(callback, startedAt);
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
      if (answered) return { answeredMs: durationMs };
      return { answeredMs: onPurpose || outcome.reason === 'internal_error' ? 'unknown' : null };
    });
  }

  private nextStep({ type, attempt, attemptOfSchedule, failsFirst, triedSince }: ClaimedCallback, outcome: AttemptOutcome): NextStep {
    // Failures on purpose do not count, so that a real one after them has the first delay of the schedule. Sent again, it has none of them.
    const onPurpose = attempt === attemptOfSchedule && attempt > failsFirst ? failsFirst : 0;
    const step = nextStep(attemptOfSchedule - onPurpose, outcome, triedSince, this.clock.now(), Math.random());
    // A person who sends a test looks at its outcome now, not in three days.
    return type === 'callback.test' && step.kind === 'retry' ? { kind: 'abandoned', reason: 'given_up' } : step;
  }

  private async send(callback: ClaimedCallback, at: Date): Promise<{ outcome: AttemptOutcome; answer: Buffer | null }> {
    const message = await this.messageOf(callback, at);
    if (!message) return { outcome: { kind: 'unanswered', reason: 'internal_error' }, answer: null };
    try {
      const response = await this.outbound.request(callback.url, {
        method: 'POST',
        headers: { ...traceHeaders(), ...message.headers },
        body: message.body,
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

  /** Null if the body or no secret can be opened: this callback is tried again later, and the others go on. */
  private async messageOf(callback: ClaimedCallback, at: Date): Promise<SignedMessage | null> {
    const { id, projectId, reportId } = callback;
    const keys = this.config.SEALING_KEYS;
    const first = () => this.database.withProject(projectId, (tx) => currentSecrets(tx, keys, projectId, at));
    const stored = callback.secrets.length > 0 ? callback.secrets : await first();
    try {
      const body = openBody(keys, callback);
      const secrets = openedSecrets(keys, projectId, stored, this.log);
      return secrets.length > 0 ? { body, headers: signedHeaders(id, body, secrets, at) } : null;
    } catch (error) {
      this.log.error({ err: error, report_id: reportId, callback_id: id }, 'The body of a callback cannot be opened');
      return null;
    }
  }
}

const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`;
