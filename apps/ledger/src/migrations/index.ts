import { eventingMigration } from '@tire/eventing';
import { recordedMigrations } from '@tire/platform';
import { Initial1763700000000 } from './1763700000000-initial';
import { CaptureLinks1764100000000 } from './1764100000000-capture-links';
import { CaptureCallback1764200000000 } from './1764200000000-capture-callback';

/** Append only, oldest first. Until the first release the initial migration may change; a database of before is refused then. */
export const MIGRATIONS = recordedMigrations([
  Initial1763700000000,
  eventingMigration(1763700001000),
  CaptureLinks1764100000000,
  CaptureCallback1764200000000,
]);
