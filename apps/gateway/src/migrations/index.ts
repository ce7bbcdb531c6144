import { Initial1763683200000 } from './1763683200000-initial';

/** Append only, oldest first. Until the first release the initial migration may change. */
export const MIGRATIONS = [Initial1763683200000];
