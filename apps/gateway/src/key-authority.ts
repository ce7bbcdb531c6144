import type { Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { digestOf, isWellFormedKey } from './api-key';
import { KeyLookUps } from './key-look-ups';
import type { KeyHolder } from './organization.store';
import { CLOCK } from './tokens';

/** A revoked key stops working within this time. */
const KNOWN_FOR_MS = 1_000;
/** Of each kind; beyond it the oldest answers are forgotten, so that a flood of keys takes no memory. */
const KNOWN_MAX = 10_000;

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

interface Known {
  readonly sinceMs: number;
  /** The answer itself once it is there: a key that is known costs a request no promise. */
  holder: KeyHolder | null | Promise<KeyHolder | null>;
}

/** Who sent a request, by its Authorization header. */
@Injectable()
export class KeyAuthority {
  /**
   * By the key as it was sent, which has a fixed length where it is remembered: its digest, which only a look-up needs, costs 5 us.
   * Apart, so that a flood of invented keys pushes no good one out.
   */
  private readonly good = new Map<string, Known>();
  private readonly strange = new Map<string, Known>();
  private readonly lookUps: KeyLookUps;

  constructor(
    database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.lookUps = new KeyLookUps(database);
  }

  holderOf(authorization: string | undefined): KeyHolder | null | Promise<KeyHolder | null> {
    const key = BEARER.exec(authorization ?? '')?.[1];
    if (key === undefined) return null;
    const nowMs = this.clock.now().getTime();
    const wasGood = this.good.has(key);
    const known = wasGood ? this.good.get(key) : this.strange.get(key);
    if (known && Math.abs(nowMs - known.sinceMs) < KNOWN_FOR_MS) return known.holder;
    if (!isWellFormedKey(key)) return null;
    const digest = digestOf(key);
    const holder = wasGood ? this.lookUps.known(digest) : this.lookUps.stranger(digest, nowMs);
    this.remember(key, { sinceMs: nowMs, holder }, holder, wasGood ? this.good : this.strange);
    return holder;
  }

  private remember(key: string, known: Known, answer: Promise<KeyHolder | null>, group: Map<string, Known>): void {
    // Requests that come together wait for the same answer.
    keep(group, key, known);
    const isCurrent = () => group.get(key) === known;
    answer.then(
      (holder) => {
        known.holder = holder;
        if (!isCurrent()) return;
        group.delete(key);
        keep(holder ? this.good : this.strange, key, known);
      },
      () => {
        if (!isCurrent()) return;
        // A good key stays among the good ones, to be asked for anew: as a stranger it would have to share their allowance.
        if (group === this.good) group.set(key, { sinceMs: -Infinity, holder: null });
        else group.delete(key);
      },
    );
  }
}

/** As the latest one; the oldest goes where there are too many. */
function keep(group: Map<string, Known>, key: string, known: Known): void {
  group.delete(key);
  group.set(key, known);
  const oldest = group.keys().next();
  if (group.size > KNOWN_MAX && !oldest.done) group.delete(oldest.value);
}
