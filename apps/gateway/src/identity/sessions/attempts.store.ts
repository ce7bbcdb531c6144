import type { Database, Tx } from '@tire/platform';
import type { Allowance } from '../../domain/token-bucket';
import { digestOf } from '../secrets';

const REFILLED = `least($2::float8, attempts.tokens + greatest(0, extract(epoch FROM excluded.at - attempts.at)) * $3::float8)`;

/** An unused bucket is full. An attempt on an empty bucket takes nothing, so that an early attempt does not delay the refill. */
const TAKE = `
  INSERT INTO attempts (bucket, tokens, at) VALUES ($1, $2::float8 - 1, $4)
  ON CONFLICT (bucket) DO UPDATE SET tokens = ${REFILLED} - 1, at = greatest(attempts.at, excluded.at) WHERE ${REFILLED} >= 1 + $5::float8
  RETURNING bucket`;

const GIVE_BACK = 'UPDATE attempts SET tokens = least($2::float8, tokens + 1) WHERE bucket = $1';

const DELETE = 'DELETE FROM attempts WHERE at < $1';
/** Every bucket is full again after this time. */
const REFILLED_AFTER_MS = 3_600_000;

/**
 * Takes one token of a bucket that all gateway processes share; false if none is left. Only a digest of the name is stored, because the
 * name holds an account and an address.
 */
export async function takeAttempt(database: Database, name: string, { burst, perSecond }: Allowance, now: Date): Promise<boolean> {
  const taken = await database.systemQuery(TAKE, [digestOf(name), burst, perSecond, now, 0]);
  return taken.length === 1;
}

/** The same in the transaction of what is limited. The reserve is left to others. */
export async function takeAttemptIn(tx: Tx, name: string, { burst, perSecond }: Allowance, now: Date, reserve = 0): Promise<boolean> {
  const taken = await tx.rows(TAKE, [digestOf(name), burst, perSecond, now, reserve]);
  return taken.length === 1;
}

const REMEMBER = `
  INSERT INTO known_networks (digest, at) VALUES ($1, $2)
  ON CONFLICT (digest) DO UPDATE SET at = excluded.at WHERE known_networks.at < excluded.at - interval '1 day'`;

const IS_KNOWN = 'SELECT FROM known_networks WHERE digest = $1 AND at > $2';

const FORGET = 'DELETE FROM known_networks WHERE at <= $1';
const KNOWN_FOR_MS = 90 * 86_400_000;

const knownSince = (now: Date): Date => new Date(now.getTime() - KNOWN_FOR_MS);

/** An account was signed in from a network. */
export const rememberNetwork = (tx: Tx, name: string, now: Date) => tx.execute(REMEMBER, [digestOf(name), now]);

/** Whether the account was signed in from the network within the last ninety days. */
export async function isKnownNetwork(database: Database, name: string, now: Date): Promise<boolean> {
  const found = await database.systemQuery(IS_KNOWN, [digestOf(name), knownSince(now)]);
  return found.length === 1;
}

export const forgetNetworks = (database: Database, now: Date): Promise<unknown[]> => database.systemQuery(FORGET, [knownSince(now)]);

export const giveBackAttempt = (database: Database, name: string, { burst }: Allowance): Promise<unknown[]> =>
  database.systemQuery(GIVE_BACK, [digestOf(name), burst]);

export const deleteFullBuckets = (database: Database, now: Date): Promise<unknown[]> =>
  database.systemQuery(DELETE, [new Date(now.getTime() - REFILLED_AFTER_MS)]);
