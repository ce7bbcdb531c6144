import { eventingMigration } from '@tire/eventing';
import { Publications1763683200000 } from './1763683200000-publications';
import { Callbacks1763683260000 } from './1763683260000-callbacks';
import { Deliveries1763900000000 } from './1763900000000-deliveries';
import { CallbacksByDay1763910000000 } from './1763910000000-callbacks-by-day';
import { CallbacksOfProject1763915000000 } from './1763915000000-callbacks-of-project';
import { Discard1763760000000 } from './1763760000000-discard';

/** Append only. */
export const MIGRATIONS = [
  eventingMigration(1763600000000),
  Publications1763683200000,
  Callbacks1763683260000,
  Discard1763760000000,
  Deliveries1763900000000,
  CallbacksByDay1763910000000,
  CallbacksOfProject1763915000000,
];
