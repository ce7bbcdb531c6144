import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CLOCK, type Clock, DomainError } from '@tire/kernel';
import { Database, logger } from '@tire/platform';
import type { Config } from '../config';
import { Receivers } from '../domain/receivers';
import { CONFIG } from '../tokens';
import { CallbackPlaces, type Room } from './callback.places';
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

const placesOf = ({ attemptOfSchedule }: ClaimedCallback): Room => ({ all: 1, retries: attemptOfSchedule > 1 ? 1 : 0 });
/** A receiver is named by its project and its origin. */
const projectOf = (receiver: string): string => receiver.slice(0, receiver.indexOf(' '));

@Injectable()
export class CallbackWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('callbacks');
  private readonly inFlight = new Set<Promise<void>>();
  private readonly receivers = new Receivers();
  private readonly places: CallbackPlaces;
  private stopped = false;
  /** Receivers that a nudge named. */
  private readonly nudged = new Set<string>();
  /** Receivers that a scan found. They come after the nudged ones. */
  private readonly found = new Set<string>();
  /** Receivers, by project, of projects at their share. They come back when it has room. */
  private readonly atShare = new Map<string, Set<string>>();
  private scan: Promise<void> | null = null;
  private scanAtMs = -Infinity;
  private wake: () => void = () => undefined;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly sender: CallbackSender,
    private readonly queue: CallbackQueue,
    @Inject(CONFIG) config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.places = new CallbackPlaces(config.SHARE_CALLBACKS_AT_ONCE);
  }

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

  /** Without free places the names stay in their sets. The next scan finds receivers again whose retries had none. */
  private async startDue(): Promise<void> {
    if (this.places.free === 0) return;
    this.nudgeWithinShare();
    const names = this.nextReceivers();
    const free = this.receivers.freeFor(names);
    const wanted = new Map<string, number>();
    for (const [name, count] of free) if (count > 0) wanted.set(projectOf(name), (wanted.get(projectOf(name)) ?? 0) + count);
    const projects = this.places.take(wanted);
    const offered = new Map([...free].map(([name, count]) => [name, projects.has(projectOf(name)) ? count : 0]));
    const claimed = await this.claim({ projects, receivers: new Map([...offered].filter(([, count]) => count > 0)) });
    const limited = this.leaveUnused(projects, wanted, claimed);
    const begun = claimed.map(({ receiver }) => receiver);
    for (const name of this.receivers.began(begun, offered)) if (projects.has(projectOf(name))) this.nudge(name);
    for (const callback of claimed) this.start(callback);
    // The share of the project has left out all of these, or may have left out some. The end of an attempt names a receiver that is full.
    const leftOut = names.filter((name) => free.get(name)! > 0 && (!projects.has(projectOf(name)) || limited.has(projectOf(name))));
    leftOut.forEach((name) => this.waitForShare(name));
  }

  private waitForShare(receiver: string): void {
    const projectId = projectOf(receiver);
    const waiting = this.atShare.get(projectId);
    if (waiting) waiting.add(receiver);
    else this.atShare.set(projectId, new Set([receiver]));
  }

  /**
   * As many receivers of a project as it has room for, and of all no more than the next claim takes: a name that waits in `nudged` has taken
   * no room yet. Those without a due callback leave their room to the next ones.
   */
  private nudgeWithinShare(): void {
    for (const [projectId, waiting] of this.atShare) {
      let room = Math.min(this.places.roomOf(projectId), RECEIVERS_PER_CLAIM_MAX - this.nudged.size);
      for (const name of waiting) {
        if (room-- <= 0) break;
        waiting.delete(name);
        this.nudged.add(name);
      }
      if (waiting.size === 0) this.atShare.delete(projectId);
    }
  }

  /** Returns the projects that used all their places and wanted more. */
  private leaveUnused(
    projects: ReadonlyMap<string, Room>,
    wanted: ReadonlyMap<string, number>,
    claimed: readonly ClaimedCallback[],
  ): Set<string> {
    const used = new Map([...projects.keys()].map((projectId) => [projectId, { all: 0, retries: 0 }]));
    for (const callback of claimed) {
      const ofProject = used.get(callback.projectId)!;
      const { all, retries } = placesOf(callback);
      ofProject.all += all;
      ofProject.retries += retries;
    }
    const limited = new Set<string>();
    for (const [projectId, { all, retries }] of projects) {
      const ofProject = used.get(projectId)!;
      this.places.leave(projectId, { all: all - ofProject.all, retries: retries - ofProject.retries });
      if (ofProject.all === all && all < wanted.get(projectId)!) limited.add(projectId);
    }
    return limited;
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

  private async claim(capacity: Capacity): Promise<ClaimedCallback[]> {
    if (capacity.receivers.size === 0) return [];
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
    const running = this.sender
      .attempt(callback)
      .catch((error: unknown): EndedSend => {
        this.log.error({ err: error, report_id: callback.reportId }, 'A callback attempt was not recorded; its claim will expire');
        return { answeredMs: 'unknown' };
      })
      .then(({ answeredMs }) => {
        this.inFlight.delete(running);
        this.places.leave(callback.projectId, placesOf(callback));
        if (this.receivers.ended(callback.receiver, answeredMs)) this.nudge(callback.receiver);
        if (this.nudged.size + this.found.size + this.atShare.size > 0) this.wake();
      });
    this.inFlight.add(running);
  }

  /** Of projects at their share only those that have room: attempts may have ended during a claim. */
  private hasNames(): boolean {
    return this.nudged.size + this.found.size > 0 || [...this.atShare.keys()].some((projectId) => this.places.roomOf(projectId) > 0);
  }

  private rest(): Promise<void> {
    const canBegin = this.hasNames() && this.places.free > 0;
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
