import { CLOCK, firstIdAt, newId, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathToLog } from '../edge/known-paths';
import { loggedSince, slotOf, slotsToEmpty } from '../domain/log-slots';
import { emptySlot, insertEntries, logEntries, type LogEntry } from './request-log.store';

const FLUSH_MS = 2_000;
const EMPTY_MS = 3_600_000;
/** Per key: enough to find a request, and a flood of requests costs little. */
const PER_KEY_AND_SECOND = 100;
/** While the database is unavailable; about 2 MB. */
const WAITING_MAX = 5_000;
const PATH_LENGTH_MAX = 200;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Requests of keys to the public API, without bodies, queries and responses. Written together every two seconds. */
@Injectable()
export class RequestLog implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('request-log');
  private readonly flushing = periodicTask(FLUSH_MS, () => this.flush(), this.log);
  private readonly emptying = periodicTask(EMPTY_MS, () => this.empty(), this.log);
  private waiting: LogEntry[] = [];
  private second = 0;
  private counted = new Map<string, number>();
  private written: () => void = () => undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onResponse', (request, reply, done) => {
      this.note(request, reply);
      done();
    });
    this.flushing.start();
    this.emptying.start();
  }

  /** After the last response, before the database closes. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.flushing.stop(), this.emptying.stop()]);
    await this.flush().catch((error: unknown) => this.log.warn({ err: error }, 'The last requests were not logged'));
  }

  async entries(projectId: string, keyId: string | undefined, cursor: string | undefined, limit: number): Promise<LogEntry[]> {
    const since = firstIdAt(loggedSince(this.clock.now()).getTime());
    return this.database.withProject(projectId, (tx) => logEntries(tx, { projectId, keyId, before: cursor ?? LAST_ID, since, limit }));
  }

  /** Calls `written` when this process has written entries. */
  onWritten(written: () => void): void {
    this.written = written;
  }

  async flush(): Promise<void> {
    if (this.waiting.length === 0) return;
    const written = this.waiting;
    this.waiting = [];
    try {
      await this.database.asSystem((tx) =>
        insertEntries(
          tx,
          written.map((entry) => ({ ...entry, slot: slotOf(entry.at) })),
        ),
      );
    } catch (error) {
      this.waiting = [...written, ...this.waiting].slice(-WAITING_MAX);
      throw error;
    }
    this.written();
  }

  private note(request: FastifyRequest, reply: FastifyReply): void {
    const { caller } = request;
    if (!caller || this.waiting.length >= WAITING_MAX) return;
    if (request.routeOptions.config.isLogged === false && reply.statusCode < 400) return;
    const at = this.clock.now();
    if (!this.hasRoom(caller.keyId, at)) return;
    this.waiting.push({
      entryId: newId(at.getTime()),
      projectId: caller.projectId,
      keyId: caller.keyId,
      at,
      method: request.method,
      path: pathToLog(request.url).slice(0, PATH_LENGTH_MAX),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      requestId: request.id,
    });
  }

  private hasRoom(keyId: string, at: Date): boolean {
    const second = Math.floor(at.getTime() / 1_000);
    if (second !== this.second) [this.second, this.counted] = [second, new Map()];
    const count = (this.counted.get(keyId) ?? 0) + 1;
    this.counted.set(keyId, count);
    return count <= PER_KEY_AND_SECOND;
  }

  private async empty(): Promise<void> {
    for (const slot of slotsToEmpty(this.clock.now())) await this.database.asSystem((tx) => emptySlot(tx, slot));
  }
}
