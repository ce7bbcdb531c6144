import { recordedMigrations } from '@tire/platform';
import { Initial1763683200000 } from './1763683200000-initial';
import { RequestLogTail1764061200000 } from './1764061200000-request-log-tail';
import { CaptureSettings1764100000000 } from './1764100000000-capture-settings';
import { TimeZones1764600000000 } from './1764600000000-time-zones';
import { Passkeys1764810000000 } from './1764810000000-passkeys';

/** Append only, oldest first. Until the first release the initial migration may change; a database of before is refused then. */
export const MIGRATIONS = recordedMigrations([
  Initial1763683200000,
  RequestLogTail1764061200000,
  CaptureSettings1764100000000,
  TimeZones1764600000000,
  Passkeys1764810000000,
]);
