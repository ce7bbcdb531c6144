import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { shareApi } from '@tire/contracts/grpc';
import { LISTENED_HOURS, LISTENED_PAGE_MAX, LISTENER_MINUTES } from '@tire/contracts/limits';
import { CLOCK, type Clock, DomainError, faulty, isUuid } from '@tire/kernel';
import { Database, logger, periodicTask } from '@tire/platform';
import { signedHeaders } from '../callbacks/callback.signature';
import type { Config } from '../config';
import { CONFIG } from '../tokens';
import { currentSecrets, openedSecrets } from '../webhook-secrets/webhook-secret.store';
import {
  callbacksAfter,
  forgetOlderThan,
  keepRecording,
  lastNumbers,
  type NumberedCallback,
  openListened,
  type Recording,
} from './listener.store';

const HOUR_MS = 3_600_000;
const LISTENER_MS = LISTENER_MINUTES * 60_000;
const FORGET_EVERY_MS = HOUR_MS;

/**
 * Callbacks for whoever listens to a project. They are recorded from its first read on, and for a while after each further one, so that
 * projects to which nobody listens cost nothing. The caller makes sure that it is a test project.
 */
@Injectable()
export class ListenerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('listeners');
  private readonly forgetting = periodicTask(FORGET_EVERY_MS, () => this.forget(), this.log);

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.forgetting.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.forgetting.stop();
  }

  async listen({ projectId, after, limit }: shareApi.ListenToCallbacksRequest): Promise<shareApi.ListenToCallbacksResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    if (limit < 1 || limit > LISTENED_PAGE_MAX) throw faulty('limit', `must be 1 to ${LISTENED_PAGE_MAX}.`);
    const now = this.clock.now();
    const found = after === undefined ? undefined : await callbacksAfter(this.database, projectId, after, limit);
    const recording = await this.kept(projectId, found?.recording, now);
    const callbacks = found?.callbacks ?? [];
    // Those of a discarded report are gone, so the next read begins behind the last number and not behind the last callback.
    const lastNumber = callbacks.length === limit ? callbacks.at(-1)!.number : recording.lastNumber;
    return { callbacks: await this.signed(projectId, callbacks, now), lastNumber, since: recording.since.toISOString() };
  }

  async lastNumbers({ projectIds }: shareApi.FindLastCallbacksRequest): Promise<shareApi.FindLastCallbacksResponse> {
    return { last: await lastNumbers(this.database, projectIds) };
  }

  forget(): Promise<void> {
    const time = new Date(this.clock.now().getTime() - LISTENED_HOURS * HOUR_MS);
    return this.database.asSystem((tx) => forgetOlderThan(tx, time));
  }

  /** Written once in half of its time, so that most reads write nothing. What was read stays the end of what the caller has seen. */
  private async kept(projectId: string, found: Recording | undefined, now: Date): Promise<Recording> {
    const nowMs = now.getTime();
    if (found && found.until.getTime() - nowMs > LISTENER_MS / 2) return found;
    const until = new Date(nowMs + LISTENER_MS);
    const kept = await this.database.withProject(projectId, (tx) => keepRecording(tx, projectId, now, until));
    return found ? { ...kept, since: found.since > kept.since ? found.since : kept.since, lastNumber: found.lastNumber } : kept;
  }

  /** Signed now: receivers refuse an old time. One that cannot be opened is left out, and logged. */
  private async signed(projectId: string, callbacks: readonly NumberedCallback[], now: Date): Promise<shareApi.ListenedCallback[]> {
    if (callbacks.length === 0) return [];
    const keys = this.config.SEALING_KEYS;
    const stored = await this.database.withProject(projectId, (tx) => currentSecrets(tx, keys, projectId, now));
    const secrets = openedSecrets(keys, projectId, stored, this.log);
    return callbacks.flatMap((callback) => {
      const { id, type, reportId, queuedAt } = callback;
      try {
        const body = openListened(keys, callback);
        const headers = signedHeaders(id, body, secrets, now);
        return [{ callbackId: id, type, reportId, queuedAt: queuedAt.toISOString(), headers, body }];
      } catch (error) {
        this.log.error({ err: error, callback_id: id }, 'The body of a callback cannot be opened');
        return [];
      }
    });
  }
}
