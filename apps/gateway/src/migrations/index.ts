import { Organizations1763683200000 } from './1763683200000-organizations';
import { KeyUse1763719200000 } from './1763719200000-key-use';
import { ConsoleIdentity1763770000000 } from './1763770000000-console-identity';

/** Append only. */
export const MIGRATIONS = [Organizations1763683200000, KeyUse1763719200000, ConsoleIdentity1763770000000];
