import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CLOCK, type Clock, DomainError } from '@tire/kernel';
import { Database, logger } from '@tire/platform';
import type { Config } from '../config';
import { Receivers } from '../domain/receivers';
import { CONFIG } from '../tokens';
import { CallbackSender, type EndedSend } from './callback.sender';
import { CallbackQueue } from './callback.queue';
import { type Capacity, claimCallbacks, type ClaimedCallback, dueReceivers } from './callback.store';

// Longer than an attempt of 15 s with its transactions: only a dead process loses its claim.
const CLAIM_MS = 60_000;
// Polling finds what a nudge after a commit does not: callbacks that become due, and those of other processes.
const POLL_MS = 1_000;
// A scan of all receivers takes at most a twentieth of the time, even with thousands of receivers that are down.
const SCAN_PAUSE_FACTOR = 20;
const SCAN_EVERY_MS_MAX = 20_000;
// Keeps a claim short, so that receivers of new callbacks come before those that a scan found.
const RECEIVERS_PER_CLAIM_MAX = 256;
const isRetry = ({ attemptOfSchedule }: ClaimedCallback): boolean => attemptOfSchedule > 1;

@Injectable()
export class CallbackWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('callbacks');
  private readonly inFlight = new Set<Promise<void>>();
  private readonly receivers = new Receivers();
  private retriesInFlight = 0;
  private stopped = false;
  /** Receivers that a nudge named. */
  private readonly nudged = new Set<string>();
  /** Receivers that a scan found. They come after the nudged ones. */
  private readonly found = new Set<string>();
  private scan: Promise<void> | null = null;
  private scanAtMs = -Infinity;
  private wake: () => void = () => undefined;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly sender: CallbackSender,
    private readonly queue: CallbackQueue,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.queue.onDue((receiver) => this.nudge(receiver));
    this.loop = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.nudge();
    await this.loop;
    await Promise.all(this.inFlight);
  }

  /** A callback may be due: for this receiver, or for any. */
  nudge(receiver?: string): void {
    if (receiver === undefined) this.scanAtMs = -Infinity;
    else this.nudged.add(receiver);
    this.wake();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.scanIfDue();
      await this.startDue();
      await this.rest();
    }
    await this.scan;
  }

  /** Runs beside the claims, so that new callbacks do not wait for a scan of receivers that are down. */
  private scanIfDue(): void {
    if (!this.scanIsDue()) return;
    const beganMs = performance.now();
    this.scanAtMs = Infinity;
    this.scan = this.orEmpty(() => dueReceivers(this.database, this.clock.now())).then((receivers) => {
      const tookMs = performance.now() - beganMs;
      const pauseMs = Math.min(SCAN_EVERY_MS_MAX, Math.max(POLL_MS, SCAN_PAUSE_FACTOR * tookMs));
      // A nudge during the scan may have requested another one.
      if (this.scanAtMs === Infinity) this.scanAtMs = beganMs + pauseMs;
      this.scan = null;
      for (const receiver of receivers) this.found.add(receiver);
      this.wake();
    });
  }

  private scanIsDue(): boolean {
    return this.scan === null && performance.now() >= this.scanAtMs;
  }

  /** Without free capacity the names stay in their sets. The next scan finds receivers again whose retries had no capacity. */
  private async startDue(): Promise<void> {
    const total = this.config.SHARE_CALLBACKS_AT_ONCE - this.inFlight.size;
    if (total === 0) return;
    const names = this.nextReceivers();
    const offered = this.receivers.freeFor(names);
    const capacity: Capacity = {
      total,
      // The other half is for first attempts alone.
      retries: Math.max(0, Math.ceil(this.config.SHARE_CALLBACKS_AT_ONCE / 2) - this.retriesInFlight),
      receivers: new Map([...offered].filter(([, free]) => free > 0)),
    };
    const claimed = capacity.receivers.size > 0 ? await this.claim(capacity) : [];
    const begun = claimed.map(({ receiver }) => receiver);
    for (const name of this.receivers.began(begun, offered)) this.nudge(name);
    for (const callback of claimed) this.start(callback);
    // A claim that used the whole capacity may have left out some of these.
    if (claimed.length === total) for (const name of names) this.nudged.add(name);
  }

  private nextReceivers(): string[] {
    const names: string[] = [];
    for (const from of [this.nudged, this.found]) {
      for (const name of from) {
        if (names.length === RECEIVERS_PER_CLAIM_MAX) return names;
        from.delete(name);
        names.push(name);
      }
    }
    return names;
  }

  private claim(capacity: Capacity): Promise<ClaimedCallback[]> {
    const now = this.clock.now();
    return this.orEmpty(() => claimCallbacks(this.database, capacity, now, new Date(now.getTime() + CLAIM_MS)));
  }

  private async orEmpty<T>(read: () => Promise<T[]>): Promise<T[]> {
    try {
      return await read();
    } catch (error) {
      // The database connection logs that the database is unavailable.
      if (!(error instanceof DomainError)) this.log.warn({ err: error }, 'Due callbacks cannot be read; trying again');
      return [];
    }
  }

  private start(callback: ClaimedCallback): void {
    const retry = isRetry(callback) ? 1 : 0;
    this.retriesInFlight += retry;
    const running = this.sender
      .attempt(callback)
      .catch((error: unknown): EndedSend => {
        this.log.error({ err: error, report_id: callback.reportId }, 'A callback attempt was not recorded; its claim will expire');
        return { answeredMs: 'unknown' };
      })
      .then(({ answeredMs }) => {
        this.inFlight.delete(running);
        this.retriesInFlight -= retry;
        if (this.receivers.ended(callback.receiver, answeredMs)) this.nudge(callback.receiver);
        if (this.hasNames()) this.wake();
      });
    this.inFlight.add(running);
  }

  private hasNames(): boolean {
    return this.nudged.size + this.found.size > 0;
  }

  private rest(): Promise<void> {
    const canBegin = this.hasNames() && this.inFlight.size < this.config.SHARE_CALLBACKS_AT_ONCE;
    if (canBegin || this.scanIsDue() || this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
