import { Injectable } from '@nestjs/common';
import type { Client } from './client';
import { OpenIdChallenges, type Intent } from './openid.challenge';
import { OpenIdProvider, type Identity } from './openid.provider';
import { SignInLimits } from './sign-in-limits';

export interface Begin {
  readonly authorizationUrl: string;
  /** For the browser to keep. */
  readonly sealed: string;
}

export interface Return {
  readonly intent: Intent;
  /** Null where the provider vouches for nobody. */
  readonly identity: Identity | null;
}

/** To the provider and back. */
@Injectable()
export class OpenIdTrips {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly challenges: OpenIdChallenges,
    private readonly limits: SignInLimits,
  ) {}

  async begin(intent: Intent): Promise<Begin> {
    const { address, challenge } = await this.provider.begin(intent.to === 'confirm');
    return { authorizationUrl: address, sealed: this.challenges.seal(challenge, intent) };
  }

  /** Null where it is no answer to what the browser has begun. That costs nobody an attempt: any page can send browsers here. */
  async finish(sealed: string | null, query: string, { address }: Client): Promise<Return | null> {
    const begun = sealed === null || this.provider.name === null ? null : this.challenges.open(sealed);
    if (!begun || new URLSearchParams(query).get('state') !== begun.challenge.state) return null;
    const { challenge, intent } = begun;
    const identity = await this.limits.atProvider(address, () => this.provider.finish(query, challenge, intent.to === 'confirm'));
    return { intent, identity };
  }
}
