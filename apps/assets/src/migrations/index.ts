import { eventingMigration } from '@tire/eventing';
import { Assets1763683200000 } from './1763683200000-assets';
import { Discard1763716200000 } from './1763716200000-discard';
import { Cleaning1763760000000 } from './1763760000000-cleaning';
import { Orientation1763770000000 } from './1763770000000-orientation';

/** Append only. */
export const MIGRATIONS = [
  eventingMigration(1763600000000),
  Assets1763683200000,
  Discard1763716200000,
  Cleaning1763760000000,
  Orientation1763770000000,
];
