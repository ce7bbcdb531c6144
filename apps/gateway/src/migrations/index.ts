import { Initial1763683200000 } from './1763683200000-initial';

/** Append only. */
export const MIGRATIONS = [Initial1763683200000];
