import { CLOCK, type Clock } from '@tire/kernel';
import { seal, unseal } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';

/** The time that a user has at the provider. */
export const CHALLENGE_MS = 10 * 60_000;

/** The time to set a password after a confirmation at the provider. */
export const CONFIRMED_MS = 10 * 60_000;

const CHALLENGE = 'openid challenge';
const CONFIRMATION = 'openid confirmation';

/** A callback of the provider must match it. */
const Challenge = z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() });
export type Challenge = z.infer<typeof Challenge>;

const SessionId = z.object({ userId: z.string(), sessionId: z.string() });
export type SessionRef = z.infer<typeof SessionId>;

/** The operation that the user started, and its session. A callback cannot change them. */
const Intent = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('sign_in'), invitation: z.string().nullable(), replaced: SessionId.nullable() }),
  z.object({ purpose: z.literal('connect'), session: SessionId }),
  z.object({ purpose: z.literal('confirm'), session: SessionId }),
]);
export type Intent = z.infer<typeof Intent>;
export type SignInIntent = Extract<Intent, { purpose: 'sign_in' }>;

const Started = z.object({ challenge: Challenge, intent: Intent, endsAtMs: z.number() });
export type Started = z.infer<typeof Started>;

const Confirmed = z.object({ session: SessionId, endsAtMs: z.number() });

/** Challenges are sealed into a cookie: a callback in another browser matches nothing, and an abandoned request leaves nothing here. */
@Injectable()
export class OpenIdChallenges {
  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  seal(challenge: Challenge, intent: Intent): string {
    return this.sealed({ challenge, intent, endsAtMs: this.nowMs() + CHALLENGE_MS } satisfies Started, CHALLENGE);
  }

  /** Null if it is too old or was not made here. */
  open(sealed: string): Started | null {
    return this.opened(Started, sealed, CHALLENGE);
  }

  /** Proves that the user of this session has just signed in at the provider. */
  confirm(session: SessionRef): string {
    return this.sealed({ session, endsAtMs: this.nowMs() + CONFIRMED_MS }, CONFIRMATION);
  }

  isConfirmed(sealed: string | null, { userId, sessionId }: SessionRef): boolean {
    const session = sealed === null ? undefined : this.opened(Confirmed, sealed, CONFIRMATION)?.session;
    return session?.userId === userId && session.sessionId === sessionId;
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }

  private sealed(content: object, purpose: string): string {
    return seal(this.settings.sealingKeys, Buffer.from(JSON.stringify(content)), purpose).toString('base64url');
  }

  private opened<T extends { endsAtMs: number }>(schema: z.ZodType<T>, sealed: string, purpose: string): T | null {
    try {
      const content = schema.parse(JSON.parse(unseal(this.settings.sealingKeys, Buffer.from(sealed, 'base64url'), purpose).toString()));
      return content.endsAtMs > this.nowMs() ? content : null;
    } catch {
      return null;
    }
  }
}
