import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { logger, periodicTask, type RepeatedTask } from '@tire/platform';
import { PartnerService } from './partner.service';

const EVERY_MS = 600_000;

/** Removes logos that nothing names. Safe to run in two processes at once. */
@Injectable()
export class LogoSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns: RepeatedTask;

  constructor(partner: PartnerService) {
    this.turns = periodicTask(EVERY_MS, () => partner.removeUnused(), logger('partner'));
  }

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }
}
