import { eventingMigration } from '@tire/eventing';
import { ContentOutcomes1763683200000 } from './1763683200000-content-outcomes';
import { DiscardedReports1763716200000 } from './1763716200000-discarded-reports';

/** Append only. */
export const MIGRATIONS = [eventingMigration(1763600000000), ContentOutcomes1763683200000, DiscardedReports1763716200000];
