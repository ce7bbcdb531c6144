import { eventingMigration } from '@tire/eventing';
import { Reports1763700000000 } from './1763700000000-reports';

/** Append only, oldest first. */
export const MIGRATIONS = [Reports1763700000000, eventingMigration(1763700001000)];
