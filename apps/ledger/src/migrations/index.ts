import { eventingMigration } from '@tire/eventing';
import { recordedMigrations } from '@tire/platform';
import { Initial1763700000000 } from './1763700000000-initial';
import { CaptureLinks1764100000000 } from './1764100000000-capture-links';
import { CaptureCallback1764200000000 } from './1764200000000-capture-callback';
import { VacuumOfQueues1764240000000 } from './1764240000000-vacuum-of-queues';
import { Worklist1764500000001 } from './1764500000001-worklist';
import { BranchesAndQuarters1764600000000 } from './1764600000000-branches-and-quarters';
import { Vehicles1764610000000 } from './1764610000000-vehicles';
import { GaugeValues1764800000000 } from './1764800000000-gauge-values';
import { Retention1765500000000 } from './1765500000000-retention';
import { RetentionIndexes1765510000000 } from './1765510000000-retention-indexes';

/** Append only, oldest first. Until the first release the initial migration may change; a database of before is refused then. */
export const MIGRATIONS = recordedMigrations([
  Initial1763700000000,
  eventingMigration(1763700001000),
  CaptureLinks1764100000000,
  CaptureCallback1764200000000,
  VacuumOfQueues1764240000000,
  Worklist1764500000001,
  BranchesAndQuarters1764600000000,
  Vehicles1764610000000,
  GaugeValues1764800000000,
  Retention1765500000000,
  RetentionIndexes1765510000000,
]);
