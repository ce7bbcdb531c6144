import { eventingMigration } from '@tire/eventing';
import { Publications1763683200000 } from './1763683200000-publications';
import { Callbacks1763683260000 } from './1763683260000-callbacks';

/** Append only. */
export const MIGRATIONS = [eventingMigration(1763600000000), Publications1763683200000, Callbacks1763683260000];
