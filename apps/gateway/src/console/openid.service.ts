import { DomainError, type Clock } from '@tire/kernel';
import { Database, logger } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../tokens';
import { recordEverywhere, type Deed } from './audit.store';
import type { Client } from './client';
import type { SignedInVisitor } from './door';
import { findInvitation } from './invitations.store';
import type { Entry, SessionHeld } from './openid.challenge';
import { bindIdentity, findUserByIdentity } from './openid.store';
import type { Identity } from './openid.provider';
import { OpenIdTrips, type Begin } from './openid.trips';
import { Sessions } from './sessions.service';
import { endSession } from './sessions.store';
import { SignIn, type SignedIn } from './sign-in.service';
import { createUser, findUser, findUserByEmail, membershipsOf, type User } from './users.store';

export interface Outcome {
  readonly page:
    SignedIn['answer']['status'] | ('refused' | 'unavailable' | 'unasked' | 'connected' | 'not_connected' | 'confirmed' | 'not_confirmed');
  /** Of a session that began. */
  readonly token: string | null;
  /** In whose session somebody confirmed himself. */
  readonly confirmed: SessionHeld | null;
}

const UNAVAILABLE: ReadonlySet<string> = new Set(['service_unavailable', 'rate_limited']);

const ended = (page: Outcome['page']): Outcome => ({ page, token: null, confirmed: null });

/**
 * What the provider vouches for opens the account that is bound to it. One is bound where it is made by an invitation that its holder
 * accepts at the provider, or by who gives the password of an account that was there before: of that one nobody knows whose address it is.
 */
@Injectable()
export class OpenIdSignIn {
  private readonly log = logger('console-openid');

  constructor(
    private readonly database: Database,
    private readonly trips: OpenIdTrips,
    private readonly sessions: Sessions,
    private readonly signIn: SignIn,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** With an invitation: from the page that says which organization and what role. No cookie tells at the end which session is replaced. */
  async begin(before: string | null, invitation: string | null = null): Promise<Begin> {
    return this.trips.begin({ to: 'enter', invitation, replaced: before === null ? null : await this.sessions.heldBy(before) });
  }

  async beginToConnect(visitor: SignedInVisitor, password: string): Promise<Begin> {
    await this.signIn.requirePassword(visitor, password, 'password');
    const { userId, sessionId } = visitor.session;
    return this.trips.begin({ to: 'connect', held: { userId, sessionId } });
  }

  /** Who has no password shows at the provider that it is still he who sits there. */
  beginToConfirm({ session }: SignedInVisitor): Promise<Begin> {
    return this.trips.begin({ to: 'confirm', held: { userId: session.userId, sessionId: session.sessionId } });
  }

  async finish(sealed: string | null, query: string, client: Client): Promise<Outcome> {
    try {
      const back = await this.trips.finish(sealed, query, client);
      if (!back) return ended('unasked');
      const { intent, identity } = back;
      if (intent.to === 'connect')
        return ended(identity && (await this.connect(intent.held, identity, client)) ? 'connected' : 'not_connected');
      if (intent.to === 'confirm') {
        const isHe = identity && (await this.isHe(intent.held, identity));
        return isHe ? { page: 'confirmed', token: null, confirmed: intent.held } : ended('not_confirmed');
      }
      const signedIn = identity && (await this.enter(intent, identity, client));
      return signedIn ? { page: signedIn.answer.status, token: signedIn.token, confirmed: null } : ended('refused');
    } catch (error) {
      // Who comes from the provider looks at a page, and is answered with one.
      if (error instanceof DomainError && !UNAVAILABLE.has(error.code)) return ended('refused');
      if (!(error instanceof DomainError)) this.log.error({ err: error }, 'Who came from the provider was not let in');
      return ended('unavailable');
    }
  }

  private enter({ invitation, replaced }: Entry, identity: Identity, client: Client): Promise<SignedIn | null> {
    return this.database.asSystem(async (tx) => {
      const signedIn = await this.admit(tx, identity, invitation, client);
      if (signedIn && replaced) await endSession(tx, replaced.userId, replaced.sessionId);
      if (!signedIn) await this.recordRefusal(tx, identity, client);
      return signedIn;
    });
  }

  /** Of an address that has an account: its organizations read of it, as of a wrong password. */
  private async recordRefusal(tx: EntityManager, { email }: Identity, { address }: Client): Promise<void> {
    const user = await findUserByEmail(tx, email);
    if (!user) return;
    const deed: Deed = { action: 'session.refused', details: { reason: 'openid' } };
    await recordEverywhere(tx, { userId: user.userId, email, address }, deed, this.clock.now());
  }

  private async admit(tx: EntityManager, identity: Identity, token: string | null, client: Client): Promise<SignedIn | null> {
    const known = await findUserByIdentity(tx, identity);
    if (token === null) {
      const belongs = known !== null && (await membershipsOf(tx, known.userId)).length > 0;
      return belongs ? this.signIn.begin(tx, known, client, { with: 'openid' }) : null;
    }
    const invitation = await findInvitation(tx, token, this.clock.now());
    // The address of an account may have changed hands since it was made.
    if (invitation?.email !== identity.email || (known && known.email !== identity.email)) return null;
    const user = known ?? (await this.newcomer(tx, identity));
    return user && this.signIn.begin(tx, user, client, { with: 'openid', invitation });
  }

  /** Null where the address has an account: whoever made that one is not who comes now, unless he connects the two. */
  private async newcomer(tx: EntityManager, identity: Identity): Promise<User | null> {
    const { email } = identity;
    if (await findUserByEmail(tx, email)) return null;
    const user = await findUser(tx, await createUser(tx, { email, name: email.split('@', 1)[0]!, passwordHash: null }));
    if (!(await bindIdentity(tx, user.userId, identity))) throw new DomainError('conflict');
    return user;
  }

  /** The session in which the password was given must be there still: whoever was signed out meanwhile connects nothing. */
  private async connect(held: SessionHeld, identity: Identity, { address }: Client): Promise<boolean> {
    const { userId } = held;
    if (!(await this.isThere(held))) return false;
    return this.database.asSystem(async (tx) => {
      const { email } = await findUser(tx, userId);
      if (email !== identity.email || !(await bindIdentity(tx, userId, identity))) return false;
      await recordEverywhere(tx, { userId, email, address }, { action: 'openid.connected' }, this.clock.now());
      return true;
    });
  }

  private async isHe(held: SessionHeld, identity: Identity): Promise<boolean> {
    const known = await this.database.asSystem((tx) => findUserByIdentity(tx, identity));
    return known?.userId === held.userId && (await this.isThere(held));
  }

  private async isThere({ userId, sessionId }: SessionHeld): Promise<boolean> {
    return (await this.sessions.list(userId)).some((session) => session.sessionId === sessionId);
  }
}
