import { DomainError } from '@tire/kernel';
import { batched, type Database } from '@tire/platform';
import { take, type Bucket } from './domain/token-bucket';
import { findKeyHolders, type KeyHolder } from './organization.store';
import { countRefusal } from './refusals';

/**
 * Keys that were not good a moment ago. Of the real ones each comes once a process: this is far above what they need, and far below
 * what the database bears.
 */
const STRANGERS = { perSecond: 500, burst: 1_000 };

/**
 * Asks the database whose keys these are, with one question at a time for all that wait. Keys that nobody knows have a queue of their
 * own: whoever makes them up by the thousand, with checksums that are right, keeps neither known keys waiting nor the database busy.
 */
export class KeyLookUps {
  private readonly holderOf: (digest: Buffer) => Promise<KeyHolder | null>;
  private readonly strangerOf: (digest: Buffer) => Promise<KeyHolder | null>;
  private strangers: Bucket | undefined;

  constructor(database: Database) {
    const find = (digests: Buffer[]) => database.asSystem((tx) => findKeyHolders(tx, digests));
    this.holderOf = batched(find);
    this.strangerOf = batched(find);
  }

  known(digest: Buffer): Promise<KeyHolder | null> {
    return this.holderOf(digest);
  }

  stranger(digest: Buffer, nowMs: number): Promise<KeyHolder | null> {
    const { admitted, bucket } = take(this.strangers, STRANGERS, nowMs);
    this.strangers = bucket;
    if (admitted) return this.strangerOf(digest);
    countRefusal('unknown_keys');
    return Promise.reject(new DomainError('rate_limited'));
  }
}
