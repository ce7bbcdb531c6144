import { EmailAddress } from '@tire/contracts/console';
import { DomainError } from '@tire/kernel';
import { logger } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { Configuration, CustomFetch } from 'openid-client';
import type { Challenge } from './openid.challenge';
import { CONSOLE_SETTINGS, type ConsoleSettings, type OpenIdSettings } from '../../site/console-settings';

/** A user whom the provider has authenticated. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

export const CALLBACK = 'session/openid/callback';

const SCOPE = 'openid email';
/** A confirmation needs a sign-in at the provider that is at most this old. */
const RECENT_SECONDS = 120;
/** Timeout of each request to the provider. */
const TIMEOUT_SECONDS = 8;

/** Loaded only if a provider is configured. */
const library = () => import('openid-client');

/** OpenID Connect: authorization code with PKCE, state and nonce. The library checks the callback. */
@Injectable()
export class OpenIdProvider {
  private readonly log = logger('console-openid');
  private discovered: Promise<Configuration> | null = null;

  constructor(@Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings) {}

  /** Null if none is configured. */
  get name(): string | null {
    return this.settings.openId?.name ?? null;
  }

  /**
   * For a confirmation the provider must authenticate the user again, even if they have a session there, and return the time of it.
   * Otherwise another person could confirm at an unlocked screen.
   */
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

  /** Null if the provider confirmed no user. The reason is logged and not returned to the client. */
  async finish(query: string, { state, nonce, codeVerifier }: Challenge, recent: boolean): Promise<Identity | null> {
    const configuration = await this.configuration();
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    const callback = this.callback();
    callback.search = query;
    try {
      const checks = {
        ...{ pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
        ...(recent && { maxAge: RECENT_SECONDS }),
      };
      const tokens = await authorizationCodeGrant(configuration, callback, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error('There is no ID token');
      // Some providers have the address only in the user info.
      const userInfo = claims.email === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
      if (userInfo.email_verified !== true) throw new Error('The provider has not verified the e-mail address');
      return { issuer: claims.iss, subject: claims.sub, email: EmailAddress.parse(userInfo.email) };
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

  /** Discovered once. After a failure the next sign-in tries again. */
  private async configuration(): Promise<Configuration> {
    const { openId } = this.settings;
    if (!openId) throw new DomainError('not_found');
    this.discovered ??= discover(openId);
    try {
      return await this.discovered;
    } catch (cause) {
      this.discovered = null;
      this.log.warn({ err: cause }, 'The OpenID Connect provider does not respond');
      throw unavailable(cause);
    }
  }
}

const unavailable = (cause: unknown): DomainError =>
  new DomainError('service_unavailable', { message: 'The sign-in provider does not answer.', cause });

/** A failure of the provider is not a wrong attempt of the user. The library passes this error on as a cause. */
const fetchFromProvider: CustomFetch = async (address, options) => {
  const response = await fetch(address, options as RequestInit).catch((cause: unknown) => Promise.reject(unavailable(cause)));
  if (response.status >= 500) throw unavailable(new Error(`${response.status} of ${address}`));
  return response;
};

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretPost, customFetch, discovery, enableNonRepudiationChecks, None } = await library();
  const authentication = clientSecret === null ? None() : ClientSecretPost(clientSecret);
  // The configuration allows plain http for loopback addresses only, and not in production.
  const plain = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  return discovery(new URL(issuer), clientId, undefined, authentication, {
    execute: [...plain, enableNonRepudiationChecks],
    timeout: TIMEOUT_SECONDS,
    [customFetch]: fetchFromProvider,
  });
}
