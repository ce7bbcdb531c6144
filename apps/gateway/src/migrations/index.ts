import { Organizations1763683200000 } from './1763683200000-organizations';

/** Append only. */
export const MIGRATIONS = [Organizations1763683200000];
