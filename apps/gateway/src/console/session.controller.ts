import {
  OneTimeCodeRequest,
  PERMISSIONS_OF,
  RecoveryCodeRequest,
  SignInRequest,
  type CurrentSession,
  type SignInAnswer,
} from '@tire/contracts';
import { Database } from '@tire/platform';
import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonBody } from '../json-body.pipe';
import type { Client } from './client';
import { clearSessionCookie, sessionToken, setSessionCookie } from './cookie';
import { CONSOLE_API, ConsoleAccess, From, SignedIn, type SignedInVisitor } from './door';
import { recordEverywhere } from './audit.store';
import { isConnected } from './openid.store';
import { countRecoveryCodes } from './recovery-codes.store';
import { Sessions } from './sessions.service';
import { endSession } from './sessions.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';
import { SignIn } from './sign-in.service';
import { findUser, membershipsOf } from './users.store';

@Controller(`${CONSOLE_API}/session`)
export class SessionController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly signIn: SignIn,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  @Post()
  @HttpCode(200)
  @ConsoleAccess('everyone')
  async begin(
    @From() client: Client,
    @Req() request: FastifyRequest,
    @Body(new JsonBody(SignInRequest)) { email, password }: SignInRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInAnswer> {
    const before = sessionToken(request, this.settings.cookie);
    const { answer, token } = await this.signIn.withPassword(email, password, client, before);
    setSessionCookie(reply, this.settings.cookie, token);
    return answer;
  }

  @Post('totp')
  @HttpCode(200)
  @ConsoleAccess('everyone')
  async code(
    @From() client: Client,
    @Req() request: FastifyRequest,
    @Body(new JsonBody(OneTimeCodeRequest)) { code }: OneTimeCodeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInAnswer> {
    const { answer, token } = await this.signIn.withCode(sessionToken(request, this.settings.cookie), code, client);
    setSessionCookie(reply, this.settings.cookie, token);
    return answer;
  }

  @Post('recovery')
  @HttpCode(200)
  @ConsoleAccess('everyone')
  async recover(
    @From() client: Client,
    @Req() request: FastifyRequest,
    @Body(new JsonBody(RecoveryCodeRequest)) { code }: RecoveryCodeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInAnswer> {
    const { answer, token } = await this.signIn.withRecoveryCode(sessionToken(request, this.settings.cookie), code, client);
    setSessionCookie(reply, this.settings.cookie, token);
    return answer;
  }

  @Get()
  @ConsoleAccess('signed_in')
  current(@SignedIn() { session }: SignedInVisitor): Promise<CurrentSession> {
    return this.database.asSystem(async (tx) => {
      const { userId, email, name, passwordHash, totpSecret } = await findUser(tx, session.userId);
      const recoveryCodesLeft = await countRecoveryCodes(tx, userId);
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
          recovery_codes_left: recoveryCodesLeft,
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

  @Delete()
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  async end(@SignedIn() { session, actor }: SignedInVisitor, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.database.asSystem(async (tx) => {
      await endSession(tx, session.userId, session.sessionId);
      await recordEverywhere(tx, actor, { action: 'session.ended' }, new Date());
    });
    clearSessionCookie(reply, this.settings.cookie);
  }
}
