import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError } from '@tire/kernel';
import { logger } from '@tire/platform';
import { CallbackDelivery, type Tried } from './callback.delivery';
import { CallbackQueue } from './callback.queue';
import { CallbackStore, type ClaimedCallback, type Room } from './callback.store';
import { FIRST_ROOM, Receivers } from './domain/receivers';
import { SETTINGS, type Settings } from './settings';

// Longer than an attempt of 15 s with its transactions can take: only a dead process loses its claim.
const CLAIM_MS = 60_000;
// What the nudge after a commit misses: callbacks whose time has come, and those of other processes.
const POLL_MS = 1_000;
// New callbacks wait while all receivers are looked through, so that takes a twentieth of the time at most: with 1,000 that hang on a
// machine at a load of 10, the p99 of those that do not fell from 1.9 s to 1.1 s.
const SWEEP_PAUSE_FACTOR = 20;
const SWEEP_EVERY_MS_MAX = 20_000;
// A try that hangs is a socket and a few kilobytes for 15 s: thousands of receivers can hang at once before others wait for them.
const IN_FLIGHT_MAX = 4_096;
// Whom nothing is known of to its discredit has the other half to itself.
const RETRIES_IN_FLIGHT_MAX = IN_FLIGHT_MAX / 2;

const isRetry = ({ attemptOfSchedule }: ClaimedCallback): boolean => attemptOfSchedule > 1;

@Injectable()
export class CallbackWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('callbacks');
  private readonly inFlight = new Set<Promise<void>>();
  private readonly receivers = new Receivers();
  private retriesInFlight = 0;
  private moreMayWait = false;
  private stopped = false;
  /** Receivers that something may be due for. */
  private wanted = new Set<string>();
  private sweepWanted = true;
  private sweptMs = -Infinity;
  private sweepEveryMs = POLL_MS;
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
    if (receiver === undefined) this.sweepWanted = true;
    else this.wanted.add(receiver);
    this.wake();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      await this.startWhatIsDue(this.offer());
      await this.rest();
    }
  }

  /** What is new is looked for by its receiver, so that it does not wait for a look at all those that are down. */
  private offer(): Room {
    const wanted = this.wanted;
    this.wanted = new Set();
    const sweep = this.sweepWanted || performance.now() - this.sweptMs >= this.sweepEveryMs;
    if (sweep) {
      this.sweepWanted = false;
      this.sweptMs = performance.now();
    }
    return {
      inAll: IN_FLIGHT_MAX - this.inFlight.size,
      ofRetries: Math.max(0, RETRIES_IN_FLIGHT_MAX - this.retriesInFlight),
      ofReceivers: sweep ? this.receivers.rooms() : this.receivers.roomsOf(wanted),
      ofStrangers: sweep ? FIRST_ROOM : null,
    };
  }

  private async startWhatIsDue(room: Room): Promise<void> {
    const began = performance.now();
    const claimed = room.inAll > 0 && (room.ofStrangers !== null || room.ofReceivers.size > 0) ? await this.claim(room) : [];
    if (room.ofStrangers !== null)
      this.sweepEveryMs = Math.min(SWEEP_EVERY_MS_MAX, Math.max(POLL_MS, SWEEP_PAUSE_FACTOR * (performance.now() - began)));
    const retries = claimed.filter(isRetry).length;
    this.moreMayWait = claimed.length === room.inAll || retries === room.ofRetries;
    const names = claimed.map(({ receiver }) => receiver);
    for (const name of this.receivers.began(names, room.ofReceivers)) this.nudge(name);
    for (const callback of claimed) this.start(callback);
  }

  private async claim(room: Room): Promise<ClaimedCallback[]> {
    const now = this.settings.clock.now();
    try {
      return await this.store.claim(room, now, new Date(now.getTime() + CLAIM_MS));
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
        if (this.moreMayWait) this.nudge();
      });
    this.inFlight.add(running);
  }

  private rest(): Promise<void> {
    if (this.wanted.size > 0 || this.sweepWanted || this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
