import { PERMISSIONS_OF, type CurrentSession } from '@tire/contracts/console';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordInEveryOrganization } from '../../audit/audit.store';
import type { OperationHandlers } from '../../edge/operation-handlers';
import { HttpResponse } from '../../edge/response';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import { findUser, membershipsOf } from '../accounts/users.store';
import { countRecoveryCodes } from '../one-time-codes/recovery-codes.store';
import { isConnected } from '../openid/openid.store';
import { clearedSessionCookie, sessionToken, signedInCookies } from './cookie';
import { SignInService, type SignedIn } from './sign-in.service';
import { SessionsService } from './sessions.service';
import { endSession, type SessionRow } from './sessions.store';

@Injectable()
export class SessionHandlers {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  readonly handlers = {
    signIn: async ({ caller, body: { email, password }, request }) => {
      const replaced = sessionToken(request, this.settings.cookie);
      return this.signedIn(await this.signIn.withPassword(email, password, caller.client, replaced));
    },
    signInWithCode: async ({ caller, body: { code }, request }) =>
      this.signedIn(await this.signIn.withCode(sessionToken(request, this.settings.cookie), code, caller.client)),
    signInWithRecoveryCode: async ({ caller, body: { code }, request }) =>
      this.signedIn(await this.signIn.withRecoveryCode(sessionToken(request, this.settings.cookie), code, caller.client)),
    getSession: ({ caller }) => this.current(caller.session),
    signOut: async ({ caller: { session, actor } }) => {
      await this.database.asSystem(async (tx) => {
        await endSession(tx, session.userId, session.sessionId);
        await recordInEveryOrganization(tx, actor, { action: 'session.ended' }, this.clock.now());
      });
      return new HttpResponse(null, clearedSessionCookie(this.settings.cookie));
    },
  } satisfies Partial<OperationHandlers>;

  private signedIn({ response, token, browserToken }: SignedIn): HttpResponse {
    return new HttpResponse(JSON.stringify(response), { 'set-cookie': signedInCookies(this.settings.cookie, token, browserToken) });
  }

  private current(session: SessionRow): Promise<CurrentSession> {
    return this.database.asSystem(async (tx) => {
      const { userId, email, name, passwordHash, totpSecret } = await findUser(tx, session.userId);
      const memberships = (await membershipsOf(tx, userId)).map(({ organizationId, organizationName, role }) => ({
        organization_id: organizationId,
        organization_name: organizationName,
        role,
        permissions: [...PERMISSIONS_OF[role]],
      }));
      return {
        user: {
          user_id: userId,
          email,
          name,
          totp_enabled: totpSecret !== null,
          recovery_codes_left: await countRecoveryCodes(tx, userId),
          has_password: passwordHash !== null,
          openid_connected: await isConnected(tx, userId),
        },
        memberships,
        csrf_token: session.csrfToken,
        idle_ends_at: this.sessions.idleEnd(session).toISOString(),
        ends_at: session.expiresAt.toISOString(),
      };
    });
  }
}
