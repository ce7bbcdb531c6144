import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, networkOf, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Client } from '../../edge/client';
import { RateLimiter } from '../../edge/rate-limiter';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import {
  lockPasskey,
  noteUse,
  passkeysOf,
  storeChallenge,
  takeChallenge,
  type Challenge,
  type Passkey,
  type Purpose,
} from './passkeys.store';

export const CHALLENGE_MS = 5 * 60_000;
/** Challenges of one network in one process: anybody may ask for one. */
const ALLOWANCE = { perSecond: 1 / 2, burst: 30 };

/** What a browser answered. Its parts are checked by the library. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>;

interface PasskeyUse {
  /** Null where the passkey is not known. */
  readonly userId: string | null;
  readonly isRight: boolean;
}

/** The challenges that passkeys sign, and their signatures. */
@Injectable()
export class PasskeyVerifier {
  private readonly limiter = new RateLimiter(ALLOWANCE);

  constructor(
    private readonly database: Database,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The name for which browsers keep a passkey. */
  get relyingParty(): { readonly expectedOrigin: string; readonly expectedRPID: string } {
    const { origin } = this.settings;
    return { expectedOrigin: origin, expectedRPID: new URL(origin).hostname };
  }

  /** Without a user the authenticator must have verified who holds it, because the passkey is all that is asked for. */
  async options({ address }: Client, of: { userId: string; sessionId: string } | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    if (!this.limiter.take(networkOf(address), this.clock.now().getTime()).admitted) throw new DomainError('rate_limited');
    return this.database.asSystem(async (tx) => {
      const known = of ? await passkeysOf(tx, of.userId) : [];
      const options = await generateAuthenticationOptions({
        rpID: this.relyingParty.expectedRPID,
        timeout: CHALLENGE_MS,
        userVerification: of ? 'preferred' : 'required',
        ...(of ? { allowCredentials: known.map(described) } : {}),
      });
      await this.store(tx, {
        challenge: options.challenge,
        purpose: of ? 'second_factor' : 'sign_in',
        userId: null,
        sessionId: null,
        ...of,
      });
      return options;
    });
  }

  store(tx: Tx, challenge: Challenge): Promise<void> {
    const now = this.clock.now();
    return storeChallenge(tx, challenge, now, new Date(now.getTime() + CHALLENGE_MS));
  }

  /** In a transaction of its own: a challenge is used up, whatever follows. Null where it is not known, was used, or is for something else. */
  async take(answer: PasskeyAnswer, purposes: readonly Purpose[]): Promise<Challenge | null> {
    const challenge = challengeIn(answer);
    if (challenge === null) return null;
    const taken = await this.database.asSystem((tx) => takeChallenge(tx, challenge, this.clock.now()));
    return taken && purposes.includes(taken.purpose) ? taken : null;
  }

  /** A signature over the challenge. A count that does not grow means that the passkey was copied: it is refused. */
  async verify(tx: Tx, answer: PasskeyAnswer, { challenge, purpose, userId }: Challenge): Promise<PasskeyUse> {
    const passkey = typeof answer['id'] === 'string' ? await lockPasskey(tx, answer['id']) : null;
    if (!passkey || (userId !== null && passkey.userId !== userId)) return { userId: null, isRight: false };
    const { credentialId: id, publicKey, counter } = passkey;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        ...this.relyingParty,
        credential: { id, publicKey: new Uint8Array(publicKey), counter },
        requireUserVerification: purpose === 'sign_in',
      });
      if (verified) await noteUse(tx, passkey, authenticationInfo.newCounter, authenticationInfo.credentialBackedUp, this.clock.now());
      return { userId: passkey.userId, isRight: verified };
    } catch {
      // The library throws for every fault of an answer.
      return { userId: passkey.userId, isRight: false };
    }
  }
}

/** A credential in the form that the browser gets. */
export const described = ({ credentialId, transports }: Passkey): { id: string; transports: AuthenticatorTransport[] } => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
});

/** The challenge that an answer is about; null in an answer of another form. */
function challengeIn(answer: PasskeyAnswer): string | null {
  const { clientDataJSON } = (answer['response'] ?? {}) as { clientDataJSON?: unknown };
  if (typeof clientDataJSON !== 'string') return null;
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
