import { eventingMigration } from '@tire/eventing';
import { Initial1763700000000 } from './1763700000000-initial';

/** Append only, oldest first. Until the first release the initial migration may change. */
export const MIGRATIONS = [Initial1763700000000, eventingMigration(1763700001000)];
