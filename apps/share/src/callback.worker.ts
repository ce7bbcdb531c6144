import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError } from '@tire/kernel';
import { logger } from '@tire/platform';
import { CallbackDelivery, type Tried } from './callback.delivery';
import { CallbackQueue } from './callback.queue';
import { CallbackStore, type ClaimedCallback, type Room } from './callback.store';
import { Receivers } from './domain/receivers';
import { SETTINGS, type Settings } from './settings';

// Longer than an attempt of 15 s with its transactions can take: only a dead process loses its claim.
const CLAIM_MS = 60_000;
// What the nudge after a commit misses: callbacks whose time has come, and those of other processes.
const POLL_MS = 1_000;
// A look at all receivers takes a twentieth of the database's time for it at most: with thousands that are down, and on a busy machine.
const LOOK_PAUSE_FACTOR = 20;
const LOOK_EVERY_MS_MAX = 20_000;
// So that a claim is over soon, and who is named first is called first: new callbacks, before what a look at all found.
const RECEIVERS_PER_CLAIM_MAX = 256;
const isRetry = ({ attemptOfSchedule }: ClaimedCallback): boolean => attemptOfSchedule > 1;

@Injectable()
export class CallbackWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('callbacks');
  private readonly inFlight = new Set<Promise<void>>();
  private readonly receivers = new Receivers();
  private retriesInFlight = 0;
  private stopped = false;
  /** Receivers that something may be due for. */
  private readonly wanted = new Set<string>();
  /** The same, where nobody nudged: they come after those. */
  private readonly found = new Set<string>();
  private look: Promise<void> | null = null;
  private lookAtMs = -Infinity;
  private wake: () => void = () => undefined;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: CallbackStore,
    private readonly delivery: CallbackDelivery,
    private readonly queue: CallbackQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
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

  /** Something may be due: for one receiver, or for any. */
  nudge(receiver?: string): void {
    if (receiver === undefined) this.lookAtMs = -Infinity;
    else this.wanted.add(receiver);
    this.wake();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.lookAtAll();
      await this.startWhatIsDue();
      await this.rest();
    }
    await this.look;
  }

  /** Beside the claims, so that what is new does not wait for a look at all those that are down. */
  private lookAtAll(): void {
    if (!this.lookIsDue()) return;
    const beganMs = performance.now();
    this.lookAtMs = Infinity;
    this.look = this.orNothing(() => this.store.dueReceivers(this.settings.clock.now())).then((receivers) => {
      const tookMs = performance.now() - beganMs;
      const pauseMs = Math.min(LOOK_EVERY_MS_MAX, Math.max(POLL_MS, LOOK_PAUSE_FACTOR * tookMs));
      // Unless somebody asked for another one meanwhile.
      if (this.lookAtMs === Infinity) this.lookAtMs = beganMs + pauseMs;
      this.look = null;
      for (const receiver of receivers) this.found.add(receiver);
      this.wake();
    });
  }

  private lookIsDue(): boolean {
    return this.look === null && performance.now() >= this.lookAtMs;
  }

  /** Without room for any, names stay where they are. Whose retries find no room is found again by the next look at all. */
  private async startWhatIsDue(): Promise<void> {
    const inAll = this.settings.callbacksAtOnce - this.inFlight.size;
    if (inAll === 0) return;
    const names = this.nextReceivers();
    const offered = this.receivers.roomsOf(names);
    const room: Room = {
      inAll,
      // Whom nothing is known of to its discredit has the other half to itself.
      ofRetries: Math.max(0, Math.ceil(this.settings.callbacksAtOnce / 2) - this.retriesInFlight),
      ofReceivers: new Map([...offered].filter(([, free]) => free > 0)),
    };
    const claimed = room.ofReceivers.size > 0 ? await this.claim(room) : [];
    const begun = claimed.map(({ receiver }) => receiver);
    for (const name of this.receivers.began(begun, offered)) this.nudge(name);
    for (const callback of claimed) this.start(callback);
    // What filled the room to the last place may have left out some of these.
    if (claimed.length === inAll) for (const name of names) this.wanted.add(name);
  }

  private nextReceivers(): string[] {
    const names: string[] = [];
    for (const from of [this.wanted, this.found]) {
      for (const name of from) {
        if (names.length === RECEIVERS_PER_CLAIM_MAX) return names;
        from.delete(name);
        names.push(name);
      }
    }
    return names;
  }

  private claim(room: Room): Promise<ClaimedCallback[]> {
    const now = this.settings.clock.now();
    return this.orNothing(() => this.store.claim(room, now, new Date(now.getTime() + CLAIM_MS)));
  }

  private async orNothing<T>(read: () => Promise<T[]>): Promise<T[]> {
    try {
      return await read();
    } catch (error) {
      // A database that is away is told of once, by what connects to it.
      if (!(error instanceof DomainError)) this.log.warn({ err: error }, 'Due callbacks cannot be read; trying again');
      return [];
    }
  }

  private start(callback: ClaimedCallback): void {
    const retry = isRetry(callback) ? 1 : 0;
    this.retriesInFlight += retry;
    const running = this.delivery
      .attempt(callback)
      .catch((error: unknown): Tried => {
        this.log.error({ err: error, report_id: callback.reportId }, 'A callback attempt was not recorded; its claim will expire');
        return { answeredMs: null };
      })
      .then(({ answeredMs }) => {
        this.inFlight.delete(running);
        this.retriesInFlight -= retry;
        if (this.receivers.ended(callback.receiver, answeredMs)) this.nudge(callback.receiver);
        if (this.someAreNamed()) this.wake();
      });
    this.inFlight.add(running);
  }

  private someAreNamed(): boolean {
    return this.wanted.size + this.found.size > 0;
  }

  private rest(): Promise<void> {
    const canBegin = this.someAreNamed() && this.inFlight.size < this.settings.callbacksAtOnce;
    if (canBegin || this.lookIsDue() || this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
