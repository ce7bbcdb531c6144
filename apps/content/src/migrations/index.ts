import { eventingMigration } from '@tire/eventing';
import { ContentOutcomes1763683200000 } from './1763683200000-content-outcomes';

/** Append only. */
export const MIGRATIONS = [eventingMigration(1763600000000), ContentOutcomes1763683200000];
