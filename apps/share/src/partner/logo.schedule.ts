import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { logger, periodicTask, type RepeatedTask } from '@tire/platform';
import { Logos } from './logos';

const EVERY_MS = 600_000;

/** Removes logos that nothing names. Safe to run in two processes at once. */
@Injectable()
export class LogoSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns: RepeatedTask;

  constructor(logos: Logos) {
    this.turns = periodicTask(EVERY_MS, () => logos.removeUnused(), logger('partner'));
  }

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }
}
