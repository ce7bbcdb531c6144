import { Injectable } from '@nestjs/common';
import type { Client } from '../../edge/client';
import { OpenIdChallenges, type Intent } from './openid.challenge';
import { OpenIdProvider, type Identity } from './openid.provider';
import { SignInLimits } from '../sessions/sign-in-limits';

export interface AuthorizationRequest {
  readonly authorizationUrl: string;
  /** The value of the browser's cookie. */
  readonly sealed: string;
}

interface Callback {
  readonly intent: Intent;
  /** Null if the provider confirmed no user. */
  readonly identity: Identity | null;
}

/** Sends a browser to the provider and checks the callback. */
@Injectable()
export class OpenIdRequests {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly challenges: OpenIdChallenges,
    private readonly limits: SignInLimits,
  ) {}

  async begin(intent: Intent): Promise<AuthorizationRequest> {
    const { address, challenge } = await this.provider.begin(intent.purpose === 'confirm');
    return { authorizationUrl: address, sealed: this.challenges.seal(challenge, intent) };
  }

  /** Null if the callback matches no request of this browser. It does not count as an attempt: any page can send a browser here. */
  async finish(sealed: string | null, query: string, { address }: Client): Promise<Callback | null> {
    const started = sealed === null || this.provider.name === null ? null : this.challenges.open(sealed);
    if (!started || new URLSearchParams(query).get('state') !== started.challenge.state) return null;
    const { challenge, intent } = started;
    const identity = await this.limits.providerAttempt(address, () => this.provider.finish(query, challenge, intent.purpose === 'confirm'));
    return { intent, identity };
  }
}
