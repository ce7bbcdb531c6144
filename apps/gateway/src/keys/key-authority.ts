import { CLOCK, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { digestOf, isWellFormedKey } from './api-key';
import { KeyLookUps } from './key-look-ups';
import type { KeyHolder } from './key.store';

/** A revoked key stops working within this time. */
const CACHED_FOR_MS = 1_000;
/** The entries of each cache. A flood of keys takes no more memory. */
const CACHED_MAX = 10_000;

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** Undefined if the header has another form. */
export const bearerKey = (authorization: string | undefined): string | undefined => BEARER.exec(authorization ?? '')?.[1];

interface Entry {
  readonly sinceMs: number;
  /** The holder itself as soon as it is known: a cache hit creates no promise. */
  holder: KeyHolder | null | Promise<KeyHolder | null>;
}

/** Finds the holder of the key in an Authorization header. */
@Injectable()
export class KeyAuthority {
  /**
   * By the key itself, because its digest costs 5 us and only a look-up needs it. Valid and unknown keys are cached apart, so that a
   * flood of invented keys evicts no valid one.
   */
  private readonly valid = new LRUCache<string, Entry>({ max: CACHED_MAX });
  private readonly unknown = new LRUCache<string, Entry>({ max: CACHED_MAX });
  private readonly lookUps: KeyLookUps;

  constructor(
    database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.lookUps = new KeyLookUps(database);
  }

  /** The address of the client is needed only for a look-up of an unknown key. */
  holderOf(authorization: string | undefined, address: () => string): KeyHolder | null | Promise<KeyHolder | null> {
    const key = bearerKey(authorization);
    if (key === undefined) return null;
    const nowMs = this.clock.now().getTime();
    const validEntry = this.valid.get(key);
    const entry = validEntry ?? this.unknown.get(key);
    if (entry && Math.abs(nowMs - entry.sinceMs) < CACHED_FOR_MS) return entry.holder;
    if (!isWellFormedKey(key)) return null;
    const digest = digestOf(key);
    const holder = validEntry ? this.lookUps.known(digest) : this.lookUps.unknown(digest, address(), nowMs);
    this.remember(key, { sinceMs: nowMs, holder }, holder, validEntry ? this.valid : this.unknown);
    return holder;
  }

  private remember(key: string, entry: Entry, lookUp: Promise<KeyHolder | null>, cache: LRUCache<string, Entry>): void {
    // Concurrent requests wait for the same look-up.
    cache.set(key, entry);
    const isCurrent = () => cache.peek(key) === entry;
    lookUp.then(
      (holder) => {
        entry.holder = holder;
        if (!isCurrent()) return;
        cache.delete(key);
        (holder ? this.valid : this.unknown).set(key, entry);
      },
      () => {
        if (!isCurrent()) return;
        // A valid key stays in its cache and is looked up again: as an unknown one it would share their rate.
        if (cache === this.valid) cache.set(key, { sinceMs: -Infinity, holder: null });
        else cache.delete(key);
      },
    );
  }
}
