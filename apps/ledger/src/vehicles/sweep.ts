import { Database, logger, periodicTask } from '@tire/platform';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { detachVehicle } from './attachment.store';
import { FIRST_PLACE, forgetAlias, removedBetween, unusedPlatesBetween } from './sweep.store';

const EVERY_MS = 60_000;
/** Keys of an index that one turn reads of each table. */
const PORTION = 10_000;

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
    const reports = await this.database.asSystem((tx) => removedBetween(tx, this.reportsAfter, PORTION));
    for (const reportId of reports.ids) await this.database.asSystem((tx) => detachVehicle(tx, reportId));
    this.reportsAfter = reports.next;
    const plates = await this.database.asSystem((tx) => unusedPlatesBetween(tx, this.aliasesAfter, PORTION));
    for (const aliasId of plates.ids) await this.database.asSystem((tx) => forgetAlias(tx, aliasId));
    this.aliasesAfter = plates.next;
    const found = reports.ids.length + plates.ids.length;
    if (found > 0) log.info({ reports: reports.ids.length, plates: plates.ids.length }, 'Names of vehicles without a report are removed');
  }
}
