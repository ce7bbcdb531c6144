import { DomainError } from '@tire/kernel';
import { logger, METRICS, observe, Places, RepeatedTask } from '@tire/platform';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { KeyAuthority } from '../keys/key-authority';
import type { KeyHolder } from '../keys/key.store';
import { Admission, holdersOf } from './admission';
import { Clients } from './client';

/** What one key and one project wait for at once: a few laptops, each with both commands. */
const WAITING_OF_KEY_MAX = 4;
const WAITING_OF_PROJECT_MAX = 8;
/** Of this process. A waiting request holds a connection and about 20 KB, and no place of a request that works. */
const WAITING_MAX = 1_024;
/** One question for all that wait, whatever their number: what another process has written is found so. */
const ASK_EVERY_MS = 1_000;
const NOBODY_WAITS_MS = 3_600_000;
const TOO_MANY =
  `Too many requests wait already; a key has ${WAITING_OF_KEY_MAX} and a project ${WAITING_OF_PROJECT_MAX}. ` +
  'End one of them, or do not wait.';

interface Waiting {
  readonly projectId: string;
  readonly cursor: string;
}

interface Waiter extends Waiting {
  readonly wake: (hasNews: boolean) => void;
}

/** Where there may be news, and how to find out for all that wait for it: true for each one that has some. */
export class NewsSource {
  private readonly waiters = new Set<Waiter>();
  private readonly asking: RepeatedTask;

  constructor(
    name: string,
    private readonly haveNews: (waiting: readonly Waiting[]) => Promise<readonly boolean[]>,
  ) {
    const log = logger(name);
    this.asking = new RepeatedTask(async () => {
      try {
        await this.ask();
      } catch (error) {
        log.warn({ err: error }, 'Whether there is news is not known; asking again');
      }
      return this.waiters.size > 0 ? ASK_EVERY_MS : NOBODY_WAITS_MS;
    });
    this.asking.start();
  }

  /** There may be news now. */
  nudge(): void {
    if (this.waiters.size > 0) this.asking.nudge();
  }

  /** True when there is news after the cursor, false when the time or the signal ends the wait. */
  after(waiting: Waiting, ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const wake = (hasNews: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.waiters.delete(waiter);
        resolve(hasNews);
      };
      const end = (): void => wake(false);
      const timer = setTimeout(end, ms);
      const waiter = { ...waiting, wake };
      if (signal.aborted) return end();
      signal.addEventListener('abort', end);
      this.waiters.add(waiter);
      if (this.waiters.size === 1) this.asking.nudge();
    });
  }

  stop(): Promise<void> {
    return this.asking.stop();
  }

  private async ask(): Promise<void> {
    const waiters = [...this.waiters];
    if (waiters.length === 0) return;
    const answers = await this.haveNews(waiters);
    waiters.forEach(({ wake }, index) => answers[index] && wake(true));
  }
}

interface Poll<Answer> {
  readonly source: NewsSource;
  readonly caller: KeyHolder;
  readonly request: FastifyRequest;
  readonly waitS: number;
  readonly read: (cursor: string | undefined) => Promise<Answer>;
  readonly isEmpty: (answer: Answer) => boolean;
}

/**
 * Answers that wait for what happens. A waiting request gives back its place among those that work, and holds one of its own, a few of each
 * key and project. It ends when its client closes the connection, and when this process is about to end.
 */
@Injectable()
export class LongPolls implements OnModuleInit, BeforeApplicationShutdown {
  private readonly places = new Places(WAITING_MAX);
  private readonly heldBy = new Map<string, number>();
  private readonly ending = new AbortController();

  constructor(
    private readonly admission: Admission,
    private readonly keys: KeyAuthority,
    private readonly clients: Clients,
  ) {}

  onModuleInit(): void {
    observe(METRICS.requestsWaiting, { description: 'Requests that wait for what happens' }, () => [{ value: this.waiting }]);
  }

  get waiting(): number {
    return this.places.inUse;
  }

  beforeApplicationShutdown(): void {
    this.ending.abort();
  }

  /** The first read is also the answer if it holds something, if nothing is to be waited for, or if the caller only begins. */
  async answer<Answer extends { readonly next_cursor: string }>(after: string | undefined, poll: Poll<Answer>): Promise<Answer> {
    const found = await poll.read(after);
    if (after === undefined || poll.waitS === 0 || !poll.isEmpty(found)) return found;
    const leave = this.enter(poll.caller);
    this.admission.leave(poll.request);
    const closed = new AbortController();
    const { socket } = poll.request.raw;
    const end = (): void => closed.abort();
    socket.once('close', end);
    // The client may have gone during the first read. Its event has passed then.
    if (socket.destroyed) end();
    try {
      return await this.whenNews(found, poll, AbortSignal.any([closed.signal, this.ending.signal]));
    } finally {
      socket.off('close', end);
      leave();
    }
  }

  private async whenNews<Answer extends { readonly next_cursor: string }>(
    first: Answer,
    { source, caller, request, waitS, read, isEmpty }: Poll<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const endMs = performance.now() + waitS * 1_000;
    let found = first;
    while (isEmpty(found)) {
      const leftMs = endMs - performance.now();
      const waiting = { projectId: caller.projectId, cursor: found.next_cursor };
      if (leftMs <= 0 || !(await source.after(waiting, leftMs, signal))) return found;
      await this.requireKey(request);
      found = await read(found.next_cursor);
      // What was announced may be gone. Without a pause the same news would be announced and read for ever.
      if (isEmpty(found))
        await pause(Math.min(ASK_EVERY_MS, Math.max(0, endMs - performance.now())), undefined, { signal }).catch(() => undefined);
    }
    return found;
  }

  /** A key that was revoked meanwhile gets nothing any more. */
  private async requireKey(request: FastifyRequest): Promise<void> {
    const holder = await this.keys.holderOf(request.headers.authorization, () => this.clients.addressOf(request));
    if (!holder) throw new DomainError('unauthorized');
  }

  private enter(caller: KeyHolder): () => void {
    const { keyId, projectId } = caller;
    const holders = holdersOf(caller);
    const isFull = this.held(keyId) >= WAITING_OF_KEY_MAX || this.held(projectId) >= WAITING_OF_PROJECT_MAX;
    if (isFull || !this.places.take(holders)) throw new DomainError('rate_limited', { message: TOO_MANY });
    const change = (by: number): void => [keyId, projectId].forEach((name) => this.change(name, by));
    change(1);
    return () => {
      change(-1);
      this.places.leave(holders);
    };
  }

  private held(name: string): number {
    return this.heldBy.get(name) ?? 0;
  }

  private change(name: string, by: number): void {
    const count = this.held(name) + by;
    if (count === 0) this.heldBy.delete(name);
    else this.heldBy.set(name, count);
  }
}
