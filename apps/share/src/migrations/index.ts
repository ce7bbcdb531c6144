import { eventingMigration } from '@tire/eventing';
import { Publications1763683200000 } from './1763683200000-publications';
import { Callbacks1763683260000 } from './1763683260000-callbacks';
import { Deliveries1763900000000 } from './1763900000000-deliveries';
import { Discard1763760000000 } from './1763760000000-discard';

/** Append only. */
export const MIGRATIONS = [
  eventingMigration(1763600000000),
  Publications1763683200000,
  Callbacks1763683260000,
  Discard1763760000000,
  Deliveries1763900000000,
];
