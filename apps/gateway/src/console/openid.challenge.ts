import type { Clock } from '@tire/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { seal, unseal } from '../domain/sealing';
import { CLOCK } from '../tokens';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';

/** At the provider a password is typed, and perhaps a telephone looked for. */
export const CHALLENGE_MS = 10 * 60_000;

const PURPOSE = 'openid challenge';

/** What an answer of the provider must fit. */
const Challenge = z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() });
export type Challenge = z.infer<typeof Challenge>;

const Held = z.object({ userId: z.string(), sessionId: z.string() });
export type SessionHeld = z.infer<typeof Held>;

/** What the person asked for when he was sent to the provider, and in which session; nothing that comes back changes it. */
const Intent = z.discriminatedUnion('to', [
  z.object({ to: z.literal('enter'), invitation: z.string().nullable(), replaced: Held.nullable() }),
  z.object({ to: z.literal('connect'), held: Held }),
]);
export type Intent = z.infer<typeof Intent>;
export type Entry = Extract<Intent, { to: 'enter' }>;

const Begun = z.object({ challenge: Challenge, intent: Intent, endsAtMs: z.number() });
export type Begun = z.infer<typeof Begun>;

/** Sealed in the browser that began: an answer that comes to another one fits nothing, and whoever only begins leaves nothing here. */
@Injectable()
export class OpenIdChallenges {
  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  seal(challenge: Challenge, intent: Intent): string {
    const begun: Begun = { challenge, intent, endsAtMs: this.clock.now().getTime() + CHALLENGE_MS };
    return seal(this.settings.sealingKeys, Buffer.from(JSON.stringify(begun)), PURPOSE).toString('base64url');
  }

  /** Null: it is too old, or none of ours. */
  open(sealed: string): Begun | null {
    try {
      const text = unseal(this.settings.sealingKeys, Buffer.from(sealed, 'base64url'), PURPOSE).toString();
      const begun = Begun.parse(JSON.parse(text));
      return begun.endsAtMs > this.clock.now().getTime() ? begun : null;
    } catch {
      return null;
    }
  }
}
