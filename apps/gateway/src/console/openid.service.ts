import type { OpenIdStart } from '@tire/contracts';
import type { Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../tokens';
import { recordDeed } from './audit.store';
import type { Client } from './client';
import { closeInvitation, invitationsFor } from './invitations.store';
import { bindIdentity, findUserByIdentity, keepChallenge, takeChallenge } from './openid.store';
import { OpenIdProvider, type Identity } from './openid.provider';
import { SignIn, type SignedIn } from './sign-in.service';
import { SignInLimits } from './sign-in-limits';
import { addMember, createUser, findUser, findUserByEmail, membershipsOf, type User } from './users.store';

/** At the provider a password is typed, and perhaps a telephone looked for. */
export const CHALLENGE_MS = 10 * 60_000;

/** Whom the provider vouches for comes in, if he is a member or was invited; nobody becomes one by it. */
@Injectable()
export class OpenIdSignIn {
  constructor(
    private readonly database: Database,
    private readonly provider: OpenIdProvider,
    private readonly signIn: SignIn,
    private readonly limits: SignInLimits,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  start(client: Client): Promise<{ answer: OpenIdStart; token: string }> {
    return this.limits.attempt(
      'openid',
      client.address,
      () => true,
      async () => {
        const { address, challenge } = await this.provider.begin();
        const expiresAt = new Date(this.clock.now().getTime() + CHALLENGE_MS);
        const token = await this.database.asSystem((tx) => keepChallenge(tx, challenge, expiresAt));
        return { answer: { authorization_url: address }, token };
      },
    );
  }

  /** Null: nobody came in. */
  finish(token: string | null, query: string, client: Client): Promise<SignedIn | null> {
    return this.limits.attempt(
      'openid',
      client.address,
      (signedIn) => signedIn !== null,
      async () => {
        const challenge = token === null ? null : await this.database.asSystem((tx) => takeChallenge(tx, token, this.clock.now()));
        const identity = challenge && (await this.provider.finish(query, challenge));
        return identity && this.database.asSystem((tx) => this.admit(tx, identity, client));
      },
    );
  }

  private async admit(tx: EntityManager, identity: Identity, client: Client): Promise<SignedIn | null> {
    const known = await findUserByIdentity(tx, identity);
    const user = known ?? (await this.firstTime(tx, identity));
    if (!user) return null;
    await this.acceptInvitations(tx, user, client);
    if ((await membershipsOf(tx, user.userId)).length === 0) return null;
    return this.signIn.begin(tx, user, client, { with: 'openid' });
  }

  /** The account of the address that the provider has verified; a new one only where an invitation waits for it. */
  private async firstTime(tx: EntityManager, identity: Identity): Promise<User | null> {
    const { email } = identity;
    const existing = await findUserByEmail(tx, email);
    if (!existing && (await invitationsFor(tx, email, this.clock.now())).length === 0) return null;
    const user = existing ?? (await findUser(tx, await createUser(tx, { email, name: email.split('@', 1)[0]!, passwordHash: null })));
    return (await bindIdentity(tx, user.userId, identity)) ? user : null;
  }

  private async acceptInvitations(tx: EntityManager, { userId, email }: User, client: Client): Promise<void> {
    const now = this.clock.now();
    for (const { organizationId, invitationId, role } of await invitationsFor(tx, email, now)) {
      if ((await closeInvitation(tx, organizationId, invitationId, now)) === null) continue;
      await addMember(tx, organizationId, userId, role);
      const actor = { userId, email, address: client.address };
      await recordDeed(tx, organizationId, actor, { action: 'member.joined', subject: email, details: { role, with: 'openid' } }, now);
    }
  }
}
