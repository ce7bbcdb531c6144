import { BrokerUnavailable, throttle, WorkQueues } from '@tire/eventing';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, RepeatedTask, type Tx } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { EVENTS, type EventType } from '@tire/contracts/events';
import { workOf } from '../domain/handover';
import { roomFor, SANDBOX_KIND, WORK_KINDS, type PendingKind, type WorkKind } from '../domain/work';
import { slotOf } from '../reports/report.mapping';
import { WORK } from '../tokens';
import { handOut, handOutLongest, stillWaits, tryLockKind, whatWaits, type HandedSlot, type Waits } from './work.store';

export interface WorkSettings {
  /** How many images of one project may be with the fetchers at once. */
  readonly fetchesPerProject: number;
}

const log = logger('ledger.work');

const TYPES: Readonly<Record<WorkKind, EventType>> = {
  fetch: EVENTS.fetchImage,
  'tire.tread': EVENTS.analyzeTread,
  'tire.sidewall': EVENTS.analyzeSidewall,
};

/**
 * While work waits for a worker, or for a fetch of its project. The result of an analysis that arrives in this process is then a nudge, because
 * a model may be idle. That of a fetch is none: the fetchers have up to FETCHES_PER_PROJECT others. Otherwise a project with many waiting
 * images would cost a transaction for each.
 */
const BUSY_MS = 100;
/** Finds what another process left. Work that this process adds is handed out at once, by a nudge. */
const IDLE_MS = 1_000;
/**
 * After so many pieces one goes to the project that waits the longest for a turn, whatever its load. Otherwise projects with one image
 * each, if enough of them came, would keep a project with eight waiting for ever.
 */
const LONGEST_AFTER = 16;
/** More than the workers of a kind hold. Only failed deliveries, which wait in the stream for their next one, may be so many. */
const MEASUREMENTS_PER_PROJECT = 256;

const PAUSES_MS: Readonly<Record<Waits, number>> = { now: 0, later: BUSY_MS, nothing: IDLE_MS };

/**
 * Hands out waiting work: the table holds what waits, and a worker that requests a message gets the next piece. The stream therefore stays shallow, and the
 * order is decided late: a project with little work does not wait behind one with much. Runs in every process; one at a time for each kind.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly seldom = throttle();
  /** The pieces that this process handed out by load since the last one that went to the project that waits the longest. */
  private readonly byLoad = new Map<WorkKind, number>();
  /** What waited when this process last looked, or handed out. Work of another process is found after IDLE_MS at the latest. */
  private readonly seen = new Map<WorkKind, Waits>();
  /** Kinds of which a commit of this process made work wait since their last turn. */
  private readonly begun = new Set<WorkKind>();
  private readonly lanes = new Map(WORK_KINDS.map((kind) => [kind, new RepeatedTask(() => this.turn(kind))]));
  private nudgeSandbox: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly queues: WorkQueues,
    @Inject(WORK) private readonly settings: WorkSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.lanes.forEach((lane) => lane.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.lanes.values()].map((lane) => lane.stop()));
  }

  /** After a commit that made work wait. */
  nudge(kinds: readonly PendingKind[]): void {
    for (const kind of new Set(kinds)) {
      if (kind === SANDBOX_KIND) this.nudgeSandbox();
      else {
        this.begun.add(kind);
        this.lanes.get(kind)?.nudge();
      }
    }
  }

  /** After the end of an analysis, which frees a model. Where nothing waited when this process last looked, nothing is looked for. */
  freed(kind: WorkKind): void {
    if (this.seen.get(kind) !== 'nothing') this.lanes.get(kind)?.nudge();
  }

  /** Called where the photograph that waits is a well-known one. */
  onSandboxNudge(nudge: () => void): void {
    this.nudgeSandbox = nudge;
  }

  private async turn(kind: WorkKind): Promise<number> {
    if (!this.database.dataSource.isInitialized) return IDLE_MS;
    try {
      let waits = await this.waitsOf(kind);
      this.seen.set(kind, waits);
      if (waits === 'now') {
        // Until a worker has room, the table is not read again.
        if ((await this.room(kind)) === 0) return BUSY_MS;
        waits = await this.handOut(kind);
        this.seen.set(kind, waits);
      }
      return PAUSES_MS[waits];
    } catch (error) {
      this.seldom(() => log.warn({ err: error, kind }, 'Work could not be handed out; retrying'));
      return IDLE_MS;
    }
  }

  /** Where nothing waited before, new work is handed out without a look. Where other work waits, it may be that of a project that has enough. */
  private async waitsOf(kind: WorkKind): Promise<Waits> {
    const [isBegun, seen] = [this.begun.delete(kind), this.seen.get(kind)];
    if (seen === 'now' || (seen === 'nothing' && isBegun)) return 'now';
    return whatWaits(this.database, kind, this.perProject(kind));
  }

  private perProject(kind: WorkKind): number {
    return kind === 'fetch' ? this.settings.fetchesPerProject : MEASUREMENTS_PER_PROJECT;
  }

  private async room(kind: WorkKind): Promise<number> {
    return roomFor(kind, await this.queues.demand(TYPES[kind]));
  }

  /**
   * Returns what waits after it: work to hand out now where as many pieces were found as were looked for.
   * The room is read again under the lock, because another process may have filled it. The messages are published before the commit. A
   * process that dies in between leaves its slots waiting, and the stream drops their second message by its id.
   */
  private handOut(kind: WorkKind): Promise<Waits> {
    return this.database.asSystem(async (tx) => {
      if (!(await tryLockKind(tx, kind))) return 'later';
      const room = await this.room(kind);
      if (room === 0) return 'later';
      const { slots, isFull } = await this.next(tx, kind, room);
      const [waits] = await Promise.all([stillWaits(tx, kind), ...slots.map((slot) => this.publish(slot))]);
      if (!waits) return 'nothing';
      return isFull ? 'now' : 'later';
    });
  }

  private async next(tx: Tx, kind: WorkKind, room: number): Promise<{ slots: HandedSlot[]; isFull: boolean }> {
    const perProject = this.perProject(kind);
    const byLoad = this.byLoad.get(kind) ?? 0;
    if (byLoad >= LONGEST_AFTER) {
      this.byLoad.set(kind, 0);
      const slots = await handOutLongest(tx, kind, this.clock.now(), perProject);
      return { slots, isFull: slots.length > 0 };
    }
    // No batch goes past the turn of the project that waits the longest.
    const most = Math.min(room, LONGEST_AFTER - byLoad);
    const slots = await handOut(tx, kind, most, this.clock.now(), perProject);
    this.byLoad.set(kind, byLoad + slots.length);
    return { slots, isFull: slots.length === most };
  }

  /**
   * A row that is no work, or a message that the broker refuses, must not stop the others: its slot counts as handed out, and the reconciler
   * puts it back.
   */
  private async publish(row: HandedSlot): Promise<void> {
    try {
      const { event, ...work } = workOf(row, slotOf(row), row);
      await this.queues.publish<unknown>(EVENTS[event], { ...work, headers: row.trace });
    } catch (error) {
      if (error instanceof BrokerUnavailable) throw error;
      log.error({ err: error, report_id: row.reportId, slot_id: row.slotId }, 'A piece of work cannot be published');
    }
  }
}
