import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import type { Allowance } from '../domain/token-bucket';
import { digestOf } from './secrets';

const REFILLED = `least($2::float8, attempts.tokens + greatest(0, extract(epoch FROM excluded.at - attempts.at)) * $3::float8)`;

/** A bucket that nobody used is full; one that is empty is left as it is, so that asking too early costs no time. */
const TAKE = `
  INSERT INTO attempts (bucket, tokens, at) VALUES ($1, $2::float8 - 1, $4)
  ON CONFLICT (bucket) DO UPDATE SET tokens = ${REFILLED} - 1, at = greatest(attempts.at, excluded.at) WHERE ${REFILLED} >= 1
  RETURNING bucket`;

const GIVE_BACK = 'UPDATE attempts SET tokens = least($2::float8, tokens + 1) WHERE bucket = $1';

const FORGET = 'DELETE FROM attempts WHERE at < $1';
/** Every bucket is full again by then. */
const KEPT_MS = 3_600_000;

/** Token buckets that all gateway processes share. Whose they are, and from where he comes, is nobody's to read: only a digest is kept. */
@Injectable()
export class Attempts {
  constructor(private readonly database: Database) {}

  /** False where nothing is left. */
  async take(name: string, { burst, perSecond }: Allowance, now: Date): Promise<boolean> {
    const taken = await this.database.systemQuery(TAKE, [digestOf(name), burst, perSecond, now]);
    return taken.length === 1;
  }

  async giveBack(name: string, { burst }: Allowance): Promise<void> {
    await this.database.systemQuery(GIVE_BACK, [digestOf(name), burst]);
  }

  async forget(now: Date): Promise<void> {
    await this.database.systemQuery(FORGET, [new Date(now.getTime() - KEPT_MS)]);
  }
}
