import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask } from '@tire/platform';
import { ENDED_KEPT_MS } from '../domain/vehicle-link';
import { deleteEnded } from './vehicle-link.store';

const EVERY_MS = 600_000;

/** Removes links that ended long ago, a portion in each turn. Safe to run in two processes at once. */
@Injectable()
export class VehicleLinkSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns = periodicTask(EVERY_MS, () => this.sweep(), logger('vehicle'));

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  sweep(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - ENDED_KEPT_MS);
    return this.database.asSystem((tx) => deleteEnded(tx, before));
  }
}
