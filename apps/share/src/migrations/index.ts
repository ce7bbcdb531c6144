import { eventingMigration } from '@tire/eventing';
import { Initial1763683200000 } from './1763683200000-initial';
import { ChosenEvents1764028800000 } from './1764028800000-chosen-events';

/** Append only, oldest first. Until the first release the initial migration may change. */
export const MIGRATIONS = [eventingMigration(1763600000000), Initial1763683200000, ChosenEvents1764028800000];
