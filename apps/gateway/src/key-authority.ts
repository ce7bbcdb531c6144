import type { Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { digestOf, isWellFormedKey } from './api-key';
import { findKeyHolder, type KeyHolder } from './organization.store';
import { CLOCK } from './tokens';

/** A revoked key stops working within this time. */
const KNOWN_FOR_MS = 1_000;
/** Beyond it the oldest answers are forgotten: a flood of invented keys takes no memory. */
const KNOWN_MAX = 10_000;

interface Known {
  readonly untilMs: number;
  readonly holder: Promise<KeyHolder | null>;
}

/** Who sent a request, by its Authorization header. */
@Injectable()
export class KeyAuthority {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async holderOf(authorization: string | undefined): Promise<KeyHolder | null> {
    const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
    if (key === undefined || !isWellFormedKey(key)) return null;
    const digest = digestOf(key);
    const name = digest.toString('base64');
    const nowMs = this.clock.now().getTime();
    const known = this.known.get(name);
    // The answer itself is kept, not its outcome: requests that come together ask once.
    if (known && known.untilMs > nowMs) return known.holder;
    const holder = this.database.asSystem((tx) => findKeyHolder(tx, digest));
    this.remember(name, { untilMs: nowMs + KNOWN_FOR_MS, holder });
    return holder;
  }

  private remember(name: string, known: Known): void {
    this.known.delete(name);
    this.known.set(name, known);
    const oldest = this.known.keys().next();
    if (this.known.size > KNOWN_MAX && !oldest.done) this.known.delete(oldest.value);
    known.holder.catch(() => {
      if (this.known.get(name) === known) this.known.delete(name);
    });
  }
}
