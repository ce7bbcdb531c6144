import type { Clock } from '@tire/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { seal, unseal } from '../domain/sealing';
import { CLOCK } from '../tokens';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';

/** At the provider a password is typed, and perhaps a telephone looked for. */
export const CHALLENGE_MS = 10 * 60_000;

/** Who has just shown at the provider who he is sets a password within it. */
export const CONFIRMED_MS = 10 * 60_000;

const PURPOSE = 'openid challenge';
const CONFIRMATION = 'openid confirmation';

/** What an answer of the provider must fit. */
const Challenge = z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() });
export type Challenge = z.infer<typeof Challenge>;

const Held = z.object({ userId: z.string(), sessionId: z.string() });
export type SessionHeld = z.infer<typeof Held>;

/** What the person asked for when he was sent to the provider, and in which session; nothing that comes back changes it. */
const Intent = z.discriminatedUnion('to', [
  z.object({ to: z.literal('enter'), invitation: z.string().nullable(), replaced: Held.nullable() }),
  z.object({ to: z.literal('connect'), held: Held }),
  z.object({ to: z.literal('confirm'), held: Held }),
]);
export type Intent = z.infer<typeof Intent>;
export type Entry = Extract<Intent, { to: 'enter' }>;

const Begun = z.object({ challenge: Challenge, intent: Intent, endsAtMs: z.number() });
export type Begun = z.infer<typeof Begun>;

const Confirmed = z.object({ held: Held, endsAtMs: z.number() });

/** Sealed in the browser that began: an answer that comes to another one fits nothing, and whoever only begins leaves nothing here. */
@Injectable()
export class OpenIdChallenges {
  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  seal(challenge: Challenge, intent: Intent): string {
    return this.sealed({ challenge, intent, endsAtMs: this.nowMs() + CHALLENGE_MS } satisfies Begun, PURPOSE);
  }

  /** Null: it is too old, or none of ours. */
  open(sealed: string): Begun | null {
    return this.opened(Begun, sealed, PURPOSE);
  }

  /** That whoever holds this session has just signed in at the provider. */
  confirm(held: SessionHeld): string {
    return this.sealed({ held, endsAtMs: this.nowMs() + CONFIRMED_MS }, CONFIRMATION);
  }

  isConfirmed(sealed: string | null, { userId, sessionId }: SessionHeld): boolean {
    const held = sealed === null ? undefined : this.opened(Confirmed, sealed, CONFIRMATION)?.held;
    return held?.userId === userId && held.sessionId === sessionId;
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }

  private sealed(said: object, purpose: string): string {
    return seal(this.settings.sealingKeys, Buffer.from(JSON.stringify(said)), purpose).toString('base64url');
  }

  private opened<T extends { endsAtMs: number }>(schema: z.ZodType<T>, sealed: string, purpose: string): T | null {
    try {
      const said = schema.parse(JSON.parse(unseal(this.settings.sealingKeys, Buffer.from(sealed, 'base64url'), purpose).toString()));
      return said.endsAtMs > this.nowMs() ? said : null;
    } catch {
      return null;
    }
  }
}
