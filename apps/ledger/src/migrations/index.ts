import { eventingMigration } from '@tire/eventing';
import { Reports1763700000000 } from './1763700000000-reports';
import { Removal1763750000000 } from './1763750000000-removal';
import { PeopleLookForReports1763780000000 } from './1763780000000-people-look-for-reports';
import { ReportHistory1763800000000 } from './1763800000000-report-history';
import { UsageColumns1763815000000 } from './1763815000000-usage-columns';
import { Usage1763820000000 } from './1763820000000-usage';
import { PeopleFilterReports1763830000000 } from './1763830000000-people-filter-reports';

/** Append only, oldest first. */
export const MIGRATIONS = [
  Reports1763700000000,
  eventingMigration(1763700001000),
  Removal1763750000000,
  PeopleLookForReports1763780000000,
  ReportHistory1763800000000,
  UsageColumns1763815000000,
  Usage1763820000000,
  PeopleFilterReports1763830000000,
];
