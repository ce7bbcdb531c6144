import { eventingMigration } from '@tire/eventing';
import { recordedMigrations } from '@tire/platform';
import { Initial1763683200000 } from './1763683200000-initial';
import { Retention1765500000000 } from './1765500000000-retention';
import { RetentionIndexes1765510000000 } from './1765510000000-retention-indexes';

/** Append only, oldest first. Until the first release the initial migration may change; a database of before is refused then. */
export const MIGRATIONS = recordedMigrations([
  eventingMigration(1763600000000),
  Initial1763683200000,
  Retention1765500000000,
  RetentionIndexes1765510000000,
]);
