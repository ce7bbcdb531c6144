import { Organizations1763683200000 } from './1763683200000-organizations';
import { KeyUse1763719200000 } from './1763719200000-key-use';
import { ConsoleIdentity1763770000000 } from './1763770000000-console-identity';
import { RequestLog1763790000000 } from './1763790000000-request-log';
import { SignIn1763810000000 } from './1763810000000-sign-in';
import { OpenId1763830000000 } from './1763830000000-openid';
import { Joining1763840000000 } from './1763840000000-joining';
import { AuditOfProject1763850000000 } from './1763850000000-audit-of-project';
import { FirstWith1763860000000 } from './1763860000000-first-with';

/** Append only. */
export const MIGRATIONS = [
  Organizations1763683200000,
  KeyUse1763719200000,
  ConsoleIdentity1763770000000,
  RequestLog1763790000000,
  SignIn1763810000000,
  OpenId1763830000000,
  Joining1763840000000,
  AuditOfProject1763850000000,
  FirstWith1763860000000,
];
