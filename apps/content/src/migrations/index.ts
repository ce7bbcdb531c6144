import { eventingMigration } from '@tire/eventing';
import { Initial1763683200000 } from './1763683200000-initial';

/** Append only, oldest first. Until the first release the initial migration may change. */
export const MIGRATIONS = [eventingMigration(1763600000000), Initial1763683200000];
