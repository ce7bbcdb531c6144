import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, logger, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordInEveryOrganization, type AuditedChange } from '../../audit/audit.store';
import type { Client } from '../../edge/client';
import type { SessionCaller } from '../../edge/callers';
import { findInvitation } from '../invitations/invitations.store';
import type { SessionRef, SignInIntent } from './openid.challenge';
import { bindIdentity, findUserByIdentity } from './openid.store';
import type { Identity } from './openid.provider';
import { OpenIdRequests, type AuthorizationRequest } from './openid.requests';
import { SessionsService } from '../sessions/sessions.service';
import { endSession } from '../sessions/sessions.store';
import { SignInService, type SignedIn } from '../sessions/sign-in.service';
import { AccountMails } from '../accounts/account-mails';
import { createUser, findUser, findUserByEmail, membershipsOf, type User } from '../accounts/users.store';

export interface Outcome {
  readonly page:
    | SignedIn['response']['status']
    | ('refused' | 'unavailable' | 'unknown_request' | 'connected' | 'not_connected' | 'confirmed' | 'not_confirmed');
  /** The token of the new session. */
  readonly token: string | null;
  readonly browserToken?: string;
  /** The session whose user was confirmed. */
  readonly confirmed: SessionRef | null;
}

const UNAVAILABLE: ReadonlySet<string> = new Set(['service_unavailable', 'rate_limited']);

const outcome = (page: Outcome['page']): Outcome => ({ page, token: null, confirmed: null });

/**
 * Signs in users whom the OpenID Connect provider authenticates. An identity at the provider opens the account that is bound to it. It is
 * bound when an invitation is accepted at the provider, which creates the account, or when the user of an existing account gives its
 * password: an equal e-mail address alone does not prove that the account belongs to the same person.
 */
@Injectable()
export class OpenIdService {
  private readonly log = logger('console-openid');

  constructor(
    private readonly database: Database,
    private readonly requests: OpenIdRequests,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly mails: AccountMails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * With an invitation: from the page that shows the organization and the role. The callback carries no session cookie, so the session that
   * is replaced is stored now.
   */
  async begin(previousToken: string | null, invitation: string | null = null): Promise<AuthorizationRequest> {
    return this.requests.begin({
      purpose: 'sign_in',
      invitation,
      replaced: previousToken === null ? null : await this.sessions.findByToken(previousToken),
    });
  }

  async beginToConnect(caller: SessionCaller, password: string): Promise<AuthorizationRequest> {
    await this.signIn.requirePassword(caller, password, 'password');
    const { userId, sessionId } = caller.session;
    return this.requests.begin({ purpose: 'connect', session: { userId, sessionId } });
  }

  /** A user without a password confirms at the provider that they are still the one at the screen. */
  beginToConfirm({ session }: SessionCaller): Promise<AuthorizationRequest> {
    return this.requests.begin({ purpose: 'confirm', session: { userId: session.userId, sessionId: session.sessionId } });
  }

  async finish(sealed: string | null, query: string, client: Client): Promise<Outcome> {
    try {
      const callback = await this.requests.finish(sealed, query, client);
      if (!callback) return outcome('unknown_request');
      const { intent, identity } = callback;
      if (intent.purpose === 'connect')
        return outcome(identity && (await this.connect(intent.session, identity, client)) ? 'connected' : 'not_connected');
      if (intent.purpose === 'confirm') {
        const isSameUser = identity && (await this.isSameUser(intent.session, identity));
        return isSameUser ? { page: 'confirmed', token: null, confirmed: intent.session } : outcome('not_confirmed');
      }
      const signedIn = identity && (await this.signInWith(intent, identity, client));
      return signedIn ? { ...signedIn, page: signedIn.response.status, confirmed: null } : outcome('refused');
    } catch (error) {
      // The browser follows a redirect of the provider, so an error becomes a page and not a document.
      if (error instanceof DomainError && !UNAVAILABLE.has(error.code)) return outcome('refused');
      if (!(error instanceof DomainError)) this.log.error({ err: error }, 'A callback of the OpenID Connect provider failed');
      return outcome('unavailable');
    }
  }

  private signInWith({ invitation, replaced }: SignInIntent, identity: Identity, client: Client): Promise<SignedIn | null> {
    return this.database.asSystem(async (tx) => {
      const signedIn = await this.admit(tx, identity, invitation, client);
      if (signedIn && replaced) await endSession(tx, replaced.userId, replaced.sessionId);
      if (!signedIn) await this.recordRefusal(tx, identity, client);
      return signedIn;
    });
  }

  /** If the address has an account, the audit logs of its organizations record the refusal, like a wrong password. */
  private async recordRefusal(tx: Tx, { email }: Identity, { address }: Client): Promise<void> {
    const user = await findUserByEmail(tx, email);
    if (!user) return;
    const change: AuditedChange = { action: 'session.refused', details: { reason: 'openid' } };
    await recordInEveryOrganization(tx, { userId: user.userId, email, address }, change, this.clock.now());
  }

  private async admit(tx: Tx, identity: Identity, token: string | null, client: Client): Promise<SignedIn | null> {
    const known = await findUserByIdentity(tx, identity);
    if (token === null) {
      const isMember = known !== null && (await membershipsOf(tx, known.userId)).length > 0;
      return isMember ? this.signIn.begin(tx, known, client, { with: 'openid' }) : null;
    }
    const invitation = await findInvitation(tx, token, this.clock.now());
    // The address of an account may have changed hands since it was made.
    if (invitation?.email !== identity.email || (known && known.email !== identity.email)) return null;
    const user = known ?? (await this.createAccount(tx, identity));
    return user && this.signIn.begin(tx, user, client, { with: 'openid', invitation, isNewAccount: known === null });
  }

  /** Null if the address has an account already: it may belong to another person, unless its user connects the two. */
  private async createAccount(tx: Tx, identity: Identity): Promise<User | null> {
    const { email } = identity;
    if (await findUserByEmail(tx, email)) return null;
    const user = await findUser(tx, await createUser(tx, { email, name: email.split('@', 1)[0]!, passwordHash: null }));
    if (!(await bindIdentity(tx, user.userId, identity))) throw new DomainError('conflict');
    return user;
  }

  /** The session in which the user gave the password must still exist. */
  private async connect(session: SessionRef, identity: Identity, client: Client): Promise<boolean> {
    const { userId } = session;
    if (!(await this.exists(session))) return false;
    return this.database.asSystem(async (tx) => {
      const { email } = await findUser(tx, userId);
      if (email !== identity.email || !(await bindIdentity(tx, userId, identity))) return false;
      await recordInEveryOrganization(tx, { userId, email, address: client.address }, { action: 'openid.connected' }, this.clock.now());
      await this.mails.alert(tx, { userId, email }, 'openid_connected', client);
      return true;
    });
  }

  private async isSameUser(session: SessionRef, identity: Identity): Promise<boolean> {
    const known = await this.database.asSystem((tx) => findUserByIdentity(tx, identity));
    return known?.userId === session.userId && (await this.exists(session));
  }

  private async exists({ userId, sessionId }: SessionRef): Promise<boolean> {
    return (await this.sessions.list(userId)).some((session) => session.sessionId === sessionId);
  }
}
