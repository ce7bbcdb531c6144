import { DomainError } from '@tire/kernel';
import { batched, networkOf, type Database } from '@tire/platform';
import { take, type Bucket } from '../domain/token-bucket';
import { RateLimiter } from '../edge/rate-limiter';
import { findKeyHolders, type KeyHolder } from './key.store';
import { countRefusal } from '../edge/refusals';

/** Rate of look-ups of keys that this process has not cached. Far above what real keys need, and far below what the database can do. */
const UNKNOWN_KEYS = { perSecond: 500, burst: 1_000 };
/** The limit of one address, so that others can look up keys too. */
const UNKNOWN_KEYS_OF_ADDRESS = { perSecond: 50, burst: 200 };

/**
 * Looks keys up in the database, one query at a time for all that wait. Unknown keys have a queue of their own: a flood of invented keys
 * with valid checksums neither delays known keys nor loads the database.
 */
export class KeyLookUps {
  private readonly holderOf: (digest: Buffer) => Promise<KeyHolder | null>;
  private readonly unknownHolderOf: (digest: Buffer) => Promise<KeyHolder | null>;
  private readonly ofAddress = new RateLimiter(UNKNOWN_KEYS_OF_ADDRESS);
  private unknownKeys: Bucket | undefined;

  constructor(database: Database) {
    const find = (digests: Buffer[]) => database.asSystem((tx) => findKeyHolders(tx, digests));
    this.holderOf = batched(find, { call: { callee: 'database' } });
    this.unknownHolderOf = batched(find, { call: { callee: 'database' } });
  }

  known(digest: Buffer): Promise<KeyHolder | null> {
    return this.holderOf(digest);
  }

  unknown(digest: Buffer, address: string, nowMs: number): Promise<KeyHolder | null> {
    if (this.admits(address, nowMs)) return this.unknownHolderOf(digest);
    countRefusal('unknown_keys');
    return Promise.reject(new DomainError('rate_limited'));
  }

  private admits(address: string, nowMs: number): boolean {
    if (!this.ofAddress.take(networkOf(address), nowMs).admitted) return false;
    const { admitted, bucket } = take(this.unknownKeys, UNKNOWN_KEYS, nowMs);
    this.unknownKeys = bucket;
    return admitted;
  }
}
