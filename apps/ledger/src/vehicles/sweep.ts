import { Database, logger, periodicTask, type Tx } from '@tire/platform';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { detachVehicle } from './attachment.store';
import { FIRST_PLACE, forgetAlias, removedAfter, unusedPlatesAfter } from './sweep.store';

const EVERY_MS = 60_000;
/** More failures in one turn are not those of single rows. */
const FAILURES_MAX = 10;

const log = logger('ledger.vehicles');

/**
 * Removes names of vehicles that no report has any more: those of a report that was removed by a release without vehicles, and a plate that was
 * moved to a vehicle which never got a report, once the last report with that plate is gone. It goes round both tables, a portion in each turn;
 * where it was is forgotten with the process, because each round finds the same.
 */
@Injectable()
export class VehicleSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns = periodicTask(EVERY_MS, () => this.sweep(), log);
  private reportsAfter = FIRST_PLACE;
  private aliasesAfter = FIRST_PLACE;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  async sweep(): Promise<void> {
    const reports = await this.database.asSystem((tx) => removedAfter(tx, this.reportsAfter));
    await this.each(reports.ids, detachVehicle);
    this.reportsAfter = reports.next;
    const plates = await this.database.asSystem((tx) => unusedPlatesAfter(tx, this.aliasesAfter));
    await this.each(plates.ids, forgetAlias);
    this.aliasesAfter = plates.next;
    const found = reports.ids.length + plates.ids.length;
    if (found > 0) log.info({ reports: reports.ids.length, plates: plates.ids.length }, 'Names of vehicles without a report were found');
  }

  /** One that fails is left for the next round. */
  private async each(ids: readonly string[], remove: (tx: Tx, id: string) => Promise<void>): Promise<void> {
    let failures = 0;
    for (const id of ids)
      try {
        await this.database.asSystem((tx) => remove(tx, id));
      } catch (error) {
        if (++failures > FAILURES_MAX) throw error;
        log.warn({ err: error, id }, 'Names of a vehicle without a report could not be removed');
      }
  }
}
