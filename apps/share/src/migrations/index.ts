import { eventingMigration } from '@tire/eventing';
import { recordedMigrations } from '@tire/platform';
import { Initial1763683200000 } from './1763683200000-initial';
import { Listeners1764061200000 } from './1764061200000-listeners';
import { CaptureFinished1764100000000 } from './1764100000000-capture-finished';
import { VacuumOfCallbacks1764240000000 } from './1764240000000-vacuum-of-callbacks';
import { Branches1764600000000 } from './1764600000000-branches';
import { VehicleLinks1764900000000 } from './1764900000000-vehicle-links';
import { PartnerPlace1765300000000 } from './1765300000000-partner-place';
import { Retention1765500000000 } from './1765500000000-retention';

/** Append only, oldest first. Until the first release the initial migration may change; a database of before is refused then. */
export const MIGRATIONS = recordedMigrations([
  eventingMigration(1763600000000),
  Initial1763683200000,
  Listeners1764061200000,
  CaptureFinished1764100000000,
  VacuumOfCallbacks1764240000000,
  Branches1764600000000,
  VehicleLinks1764900000000,
  PartnerPlace1765300000000,
  Retention1765500000000,
]);
