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

interface Known {
  readonly sinceMs: number;
  readonly holder: Promise<KeyHolder | null>;
}

/** Who sent a request, by its Authorization header. */
@Injectable()
export class KeyAuthority {
  /** Apart, so that a flood of invented keys pushes no good one out. */
  private readonly good = new Map<string, Known>();
  private readonly strange = new Map<string, Known>();
  private readonly lookUps: KeyLookUps;

  constructor(
    database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.lookUps = new KeyLookUps(database);
  }

  async holderOf(authorization: string | undefined): Promise<KeyHolder | null> {
    const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
    if (key === undefined || !isWellFormedKey(key)) return null;
    const digest = digestOf(key);
    const name = digest.toString('base64');
    const nowMs = this.clock.now().getTime();
    const wasGood = this.good.has(name);
    const known = wasGood ? this.good.get(name) : this.strange.get(name);
    // The answer itself is kept, not its outcome: requests that come together ask once.
    if (known && Math.abs(nowMs - known.sinceMs) < KNOWN_FOR_MS) return known.holder;
    const holder = wasGood ? this.lookUps.known(digest) : this.lookUps.stranger(digest, nowMs);
    this.remember(name, { sinceMs: nowMs, holder }, wasGood ? this.good : this.strange);
    return holder;
  }

  private remember(name: string, known: Known, group: Map<string, Known>): void {
    keep(group, name, known);
    const isCurrent = () => group.get(name) === known;
    known.holder.then(
      (holder) => {
        if (!isCurrent()) return;
        group.delete(name);
        keep(holder ? this.good : this.strange, name, known);
      },
      () => isCurrent() && group.delete(name),
    );
  }
}

/** As the latest one; the oldest goes where there are too many. */
function keep(group: Map<string, Known>, name: string, known: Known): void {
  group.delete(name);
  group.set(name, known);
  const oldest = group.keys().next();
  if (group.size > KNOWN_MAX && !oldest.done) group.delete(oldest.value);
}
