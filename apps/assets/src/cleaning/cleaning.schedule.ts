import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { CLOCK, newId, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask } from '@tire/platform';
import type { CleaningSettings } from '../config';
import { Cleaner } from './cleaner';
import { advanceWalk, claimWalk } from './cleaning.store';
import { ALL_OBJECTS } from '../domain/object-key';
import { CLEANING } from '../tokens';

const CHECK_EVERY_MS = 60_000;
/** Longer than one batch takes. Another process takes over a walk whose lease has expired. */
const LEASE_MS = 300_000;

/** Runs one walk through the object store at a time. All processes share its position, which is saved after each batch. */
@Injectable()
export class CleaningSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('assets.cleaning');
  private readonly turns = periodicTask(CHECK_EVERY_MS, () => this.turn(), this.log);
  private readonly holder = newId();
  private stopped = false;

  constructor(
    private readonly cleaner: Cleaner,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLEANING) private readonly settings: CleaningSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.everyMs > 0) this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    return this.turns.stop();
  }

  /** Returns the number of objects that it saw. */
  async turn(): Promise<number> {
    const [now, heldUntil, startedBefore] = [this.clock.now(), this.fromNow(LEASE_MS), this.fromNow(-this.settings.everyMs)];
    const after = await this.database.asSystem((tx) => claimWalk(tx, this.holder, now, heldUntil, startedBefore));
    if (after === undefined) return 0;
    let objects = 0;
    for await (const { batch, cleaned } of this.cleaner.walk(ALL_OBJECTS, after)) {
      objects += batch.objects;
      this.log.info({ objects, ...cleaned }, 'A batch of objects was cleaned');
      const stillHeld = await this.advance(batch.lastKey, this.stopped ? 0 : LEASE_MS);
      if (this.stopped || !stillHeld) return objects;
    }
    await this.advance(null, 0);
    return objects;
  }

  private advance(afterKey: string | null, leaseMs: number): Promise<boolean> {
    return this.database.asSystem((tx) => advanceWalk(tx, this.holder, afterKey, this.fromNow(leaseMs)));
  }

  private fromNow(durationMs: number): Date {
    return new Date(this.clock.now().getTime() + durationMs);
  }
}
