import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { newId, type Clock } from '@tire/kernel';
import { logger, Repeating } from '@tire/platform';
import { Cleaner } from './cleaner';
import { CleaningStore } from './cleaning.store';
import { ALL_OBJECTS } from './domain/object-key';
import { CLEANING, CLOCK, type CleaningSettings } from './tokens';

const LOOK_EVERY_MS = 60_000;
/** Longer than one batch takes: from then on another process goes on where a silent one stopped. */
const HELD_MS = 300_000;

/** One walk through the store at a time, whoever walks: the place is kept in the database, batch by batch. */
@Injectable()
export class CleaningSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('assets.cleaning');
  private readonly turns = new Repeating(LOOK_EVERY_MS, () => this.turn(), this.log);
  private readonly holder = newId();
  private stopped = false;

  constructor(
    private readonly cleaner: Cleaner,
    private readonly store: CleaningStore,
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

  /** Returns how many objects it saw. */
  async turn(): Promise<number> {
    const now = this.clock.now();
    const after = await this.store.claimWalk(this.holder, now, this.fromNow(HELD_MS), this.fromNow(-this.settings.everyMs));
    if (after === undefined) return 0;
    let objects = 0;
    for await (const { batch, cleaned } of this.cleaner.walk(ALL_OBJECTS, after)) {
      objects += batch.objects;
      this.log.info({ objects, ...cleaned }, 'A part of the store was cleaned');
      const stillMine = await this.store.advance(this.holder, batch.lastKey, this.fromNow(this.stopped ? 0 : HELD_MS));
      if (this.stopped || !stillMine) return objects;
    }
    await this.store.advance(this.holder, null, this.clock.now());
    return objects;
  }

  private fromNow(durationMs: number): Date {
    return new Date(this.clock.now().getTime() + durationMs);
  }
}
