import { Inject, Injectable } from '@nestjs/common';
import type { shareApi } from '@tire/contracts/grpc';
import { LIMITS } from '@tire/contracts/limits';
import { CLOCK, type Clock, DomainError, faulty, isTimeZone, isUuid, startOfDay } from '@tire/kernel';
import { Database, logger, type Tx } from '@tire/platform';
import {
  type AttemptRecord,
  type CallbackRecord,
  type UsageRow,
  countByDay,
  findCallback,
  listAttempts,
  listCallbacks,
  resendCallback,
} from './callback-history.store';
import type { Config } from '../config';
import { CONFIG } from '../tokens';
import { CallbackQueue } from './callback.queue';
import { openBody } from './callback.store';

const DAY_MS = 86_400_000;
const PAGE = 20;
const PAGE_MAX = 100;
const STATES = ['pending', 'delivered', 'abandoned'];

/** The requests of the console about callbacks. */
@Injectable()
export class CallbackService {
  private readonly log = logger('callbacks');

  constructor(
    private readonly database: Database,
    private readonly queue: CallbackQueue,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(request: shareApi.ListCallbacksRequest): Promise<shareApi.ListCallbacksResponse> {
    const { projectId, reportId = null, state = null, cursor = null, limit = PAGE } = request;
    requireThat(isUuid(projectId), 'project_id', 'is no id.');
    requireThat(reportId === null || isUuid(reportId), 'report_id', 'is no id.');
    requireThat(state === null || STATES.includes(state), 'state', `must be one of ${STATES.join(', ')}.`);
    requireThat(cursor === null || isUuid(cursor), 'cursor', 'is not one of this list.');
    requireThat(limit >= 1 && limit <= PAGE_MAX, 'limit', `must be 1 to ${PAGE_MAX}.`);
    // One callback more than requested shows whether there is another page.
    const page = { projectId, reportId, state, before: cursor, limit: limit + 1 };
    const found = await this.database.withProject(projectId, (tx) => listCallbacks(tx, page, this.clock.now()));
    const callbacks = found.slice(0, limit);
    return { callbacks: callbacks.map(toWire), nextCursor: found.length > limit ? callbacks.at(-1)?.id : undefined };
  }

  get({ projectId, callbackId }: shareApi.GetCallbackRequest): Promise<shareApi.GetCallbackResponse> {
    return this.withProject(projectId, callbackId, async (tx) => {
      const { callback, attempts } = await this.ofOneMoment(tx, projectId, callbackId);
      return { callback: toWire(callback), body: this.bodyOf(callback), attempts: attempts.map(attemptToWire) };
    });
  }

  /**
   * An attempt is stored together with the state after it. A final state without its last attempt would stay like that on a page, and an
   * attempt with the state before it would lack the time of the next one. So both are read again if an attempt ended in between.
   */
  private async ofOneMoment(tx: Tx, projectId: string, callbackId: string) {
    let attempts = await listAttempts(tx, callbackId);
    for (;;) {
      const callback = await this.found(tx, projectId, callbackId);
      const later = await listAttempts(tx, callbackId);
      if (later.length === attempts.length) return { callback, attempts };
      attempts = later;
    }
  }

  resend({ projectId, callbackId }: shareApi.ResendCallbackRequest): Promise<shareApi.ResendCallbackResponse> {
    return this.withProject(projectId, callbackId, async (tx) => {
      const { url } = await this.found(tx, projectId, callbackId);
      if (url === '') throw new DomainError('report_discarded');
      this.queue.due(tx, await resendCallback(tx, callbackId, this.clock.now()));
      return { callback: toWire(await this.found(tx, projectId, callbackId)) };
    });
  }

  async sendTest({ projectId, url }: shareApi.SendTestCallbackRequest): Promise<shareApi.SendTestCallbackResponse> {
    requireThat(isUuid(projectId), 'project_id', 'is no id.');
    requireThat(
      url.length <= LIMITS.url && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url),
      'url',
      'must be an absolute HTTP or HTTPS URL.',
    );
    return this.database.withProject(projectId, async (tx) => {
      const id = await this.queue.addTest(tx, projectId, url);
      return { callback: toWire(await this.found(tx, projectId, id)) };
    });
  }

  async usage(request: shareApi.GetCallbackUsageRequest): Promise<shareApi.GetCallbackUsageResponse> {
    const { projectId, fromDay, toDay, timeZone: zone = 'UTC' } = request;
    const [fromMs, lastMs] = [Date.parse(fromDay), Date.parse(toDay)];
    if (!isUuid(projectId)) throw new DomainError('not_found');
    requireThat(!Number.isNaN(fromMs), 'from', 'must be a day.');
    requireThat(!Number.isNaN(lastMs), 'to', 'must be a day.');
    requireThat(isTimeZone(zone), 'time_zone', 'must be the IANA name of a time zone.');
    const count = Math.max(0, Math.floor((lastMs - fromMs) / DAY_MS) + 1);
    if (count === 0) return { days: [] };
    const days = Array.from({ length: count }, (_, index) => dayOf(fromMs + index * DAY_MS));
    const [end = 0, ...starts] = [dayOf(lastMs + DAY_MS), ...days].map((day) => startOfDay(zone, day).getTime());
    const rows = await this.database.withProject(projectId, (tx) => countByDay(tx, projectId, starts, end));
    return { days: summed(days, rows) };
  }

  /** Empty if it was erased or cannot be opened: the attempts are shown nevertheless. */
  private bodyOf(callback: CallbackRecord): string {
    try {
      return callback.body === null ? '' : openBody(this.config.SEALING_KEYS, { ...callback, body: callback.body });
    } catch (error) {
      this.log.error({ err: error, callback_id: callback.id }, 'The body of a callback cannot be opened');
      return '';
    }
  }

  private withProject<T>(projectId: string, callbackId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!isUuid(projectId) || !isUuid(callbackId)) return Promise.reject(new DomainError('not_found'));
    return this.database.withProject(projectId, work);
  }

  private async found(tx: Tx, projectId: string, id: string): Promise<CallbackRecord> {
    const callback = await findCallback(tx, projectId, id, this.clock.now());
    if (!callback) throw new DomainError('not_found');
    return callback;
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function requireThat(holds: boolean, param: string, expected: string): void {
  if (!holds) throw faulty(param, expected);
}

function toWire(record: CallbackRecord): shareApi.Callback {
  const { id, type, reportId, analysisRevision, url, state, queuedAt, nextAttemptAt, inFlight, attemptCount, httpStatus, failure } = record;
  return {
    callbackId: id,
    type,
    reportId: reportId ?? undefined,
    analysisRevision: analysisRevision ?? undefined,
    url,
    state,
    queuedAt: queuedAt.toISOString(),
    nextAttemptAt: state === 'pending' && !inFlight ? nextAttemptAt.toISOString() : undefined,
    attemptCount,
    httpStatus: httpStatus ?? undefined,
    failure: failure ?? undefined,
  };
}

const attemptToWire = ({ number, startedAt, durationMs, httpStatus, failure, answer }: AttemptRecord): shareApi.CallbackAttempt => ({
  number,
  startedAt: startedAt.toISOString(),
  durationMs,
  httpStatus: httpStatus ?? undefined,
  failure: failure ?? undefined,
  answer: answer ?? undefined,
});

/** A day may have callbacks that are gone and others that are not. */
function summed(days: readonly string[], rows: readonly UsageRow[]): shareApi.CallbackUsageDay[] {
  const all = days.map((day) => ({ day, queued: 0, delivered: 0 }));
  for (const { index, queued, delivered } of rows) {
    all[index]!.queued += queued;
    all[index]!.delivered += delivered;
  }
  return all.filter(({ queued }) => queued > 0);
}
