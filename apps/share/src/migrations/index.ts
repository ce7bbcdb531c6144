import { eventingMigration } from '@tire/eventing';
import { Initial1763683200000 } from './1763683200000-initial';

/** Append only, after the first release. */
export const MIGRATIONS = [eventingMigration(1763600000000), Initial1763683200000];
