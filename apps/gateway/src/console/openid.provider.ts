import { EmailAddress } from '@tire/contracts';
import { DomainError } from '@tire/kernel';
import { logger } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { Configuration, CustomFetch } from 'openid-client';
import type { Challenge } from './openid.challenge';
import { CONSOLE_SETTINGS, type ConsoleSettings, type OpenIdSettings } from './settings';

/** Whom the provider vouches for. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

export const CALLBACK = 'session/openid/callback';

const SCOPE = 'openid email';
/** How long ago whoever has to confirm himself may have signed in there: he is asked to, now. */
const RECENT_SECONDS = 120;
/** A provider that does not answer holds a sign-in up no longer than that. */
const TIMEOUT_SECONDS = 8;

/** Loaded where it is configured, and nowhere else. */
const library = () => import('openid-client');

/** Sign-in with somebody else's accounts: authorization code with PKCE, state and nonce; the library checks what comes back. */
@Injectable()
export class OpenIdProvider {
  private readonly log = logger('console-openid');
  private discovered: Promise<Configuration> | null = null;

  constructor(@Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings) {}

  /** Null where none is configured. */
  get name(): string | null {
    return this.settings.openId?.name ?? null;
  }

  /** Of who has to confirm himself, the provider says when he signed in, and asks him again even where he is signed in: an open screen confirms nothing. */
  async begin(recent: boolean): Promise<{ address: string; challenge: Challenge }> {
    const configuration = await this.configuration();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } = await library();
    const challenge = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: this.callback().href,
      scope: SCOPE,
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await calculatePKCECodeChallenge(challenge.codeVerifier),
      code_challenge_method: 'S256',
      ...(recent && { prompt: 'login', max_age: String(RECENT_SECONDS) }),
    });
    return { address: address.href, challenge };
  }

  /** Null where the provider vouches for nobody: whatever is wrong with its answer, it is written down, and a stranger learns no more. */
  async finish(query: string, { state, nonce, codeVerifier }: Challenge, recent: boolean): Promise<Identity | null> {
    const configuration = await this.configuration();
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    const answer = this.callback();
    answer.search = query;
    try {
      const checks = {
        ...{ pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
        ...(recent && { maxAge: RECENT_SECONDS }),
      };
      const tokens = await authorizationCodeGrant(configuration, answer, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error('There is no ID token');
      // Some tell the address only to who asks for it.
      const about = claims.email === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
      if (about.email_verified !== true) throw new Error('The provider has not verified the e-mail address');
      return { issuer: claims.iss, subject: claims.sub, email: EmailAddress.parse(about.email) };
    } catch (error) {
      this.log.warn({ err: error }, 'A sign-in by OpenID Connect was refused');
      const { cause } = error as Error;
      if (cause instanceof DomainError) throw cause;
      return null;
    }
  }

  private callback(): URL {
    return new URL(`/console/api/${CALLBACK}`, this.settings.origin);
  }

  /** Asked once; one that was away is asked again by the next who signs in. */
  private async configuration(): Promise<Configuration> {
    const { openId } = this.settings;
    if (!openId) throw new DomainError('not_found');
    this.discovered ??= discover(openId);
    try {
      return await this.discovered;
    } catch (cause) {
      this.discovered = null;
      this.log.warn({ err: cause }, 'The provider of OpenID Connect does not answer');
      throw away(cause);
    }
  }
}

const away = (cause: unknown): DomainError =>
  new DomainError('service_unavailable', { message: 'The sign-in provider does not answer.', cause });

/** Where it is not there, or has a fault of its own, nobody's answer is wrong: the library passes that on as a cause. */
const ask: CustomFetch = async (address, options) => {
  const response = await fetch(address, options as RequestInit).catch((cause: unknown) => Promise.reject(away(cause)));
  if (response.status >= 500) throw away(new Error(`${response.status} of ${address}`));
  return response;
};

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretPost, customFetch, discovery, enableNonRepudiationChecks, None } = await library();
  const authentication = clientSecret === null ? None() : ClientSecretPost(clientSecret);
  // The configuration lets plain http through for this machine only, and not in production.
  const plain = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  return discovery(new URL(issuer), clientId, undefined, authentication, {
    execute: [...plain, enableNonRepudiationChecks],
    timeout: TIMEOUT_SECONDS,
    [customFetch]: ask,
  });
}
