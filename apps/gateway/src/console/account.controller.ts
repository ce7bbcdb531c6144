import {
  ChangePasswordRequest,
  OneTimeCodeRequest,
  PasswordRequest,
  ProfileRequest,
  type RecoveryCodes,
  type SessionList,
  type TotpSetup,
} from '@tire/contracts';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonBody } from '../json-body.pipe';
import { IdPipe } from '../parameters';
import { Account } from './account.service';
import { challengeOf, clearChallengeCookie } from './cookie';
import { CONSOLE_API, ConsoleAccess, SignedIn, type SignedInVisitor } from './door';
import { OneTimeCodes } from './one-time-codes.service';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';

@Controller(`${CONSOLE_API}/account`)
export class AccountController {
  constructor(
    private readonly account: Account,
    private readonly codes: OneTimeCodes,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  @Get('sessions')
  @ConsoleAccess('signed_in')
  list(@SignedIn() visitor: SignedInVisitor): Promise<SessionList> {
    return this.account.sessionList(visitor);
  }

  @Delete('sessions/:session_id')
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  endSession(@SignedIn() visitor: SignedInVisitor, @Param('session_id', IdPipe) sessionId: string): Promise<void> {
    return this.account.endSession(visitor, sessionId);
  }

  @Patch()
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  rename(@SignedIn() visitor: SignedInVisitor, @Body(new JsonBody(ProfileRequest)) { name }: ProfileRequest): Promise<void> {
    return this.account.rename(visitor, name);
  }

  @Post('password')
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  async changePassword(
    @SignedIn() visitor: SignedInVisitor,
    @Body(new JsonBody(ChangePasswordRequest)) change: ChangePasswordRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const confirmation = challengeOf(request, this.settings.cookie);
    await this.account.changePassword(visitor, change, confirmation);
    if (confirmation !== null) clearChallengeCookie(reply, this.settings.cookie);
  }

  @Post('totp')
  @HttpCode(200)
  @ConsoleAccess('signed_in')
  beginTotp(@SignedIn() visitor: SignedInVisitor, @Body(new JsonBody(PasswordRequest)) { password }: PasswordRequest): Promise<TotpSetup> {
    return this.codes.begin(visitor, password);
  }

  @Post('totp/confirm')
  @HttpCode(200)
  @ConsoleAccess('signed_in')
  confirmTotp(
    @SignedIn() visitor: SignedInVisitor,
    @Body(new JsonBody(OneTimeCodeRequest)) { code }: OneTimeCodeRequest,
  ): Promise<RecoveryCodes> {
    return this.codes.confirm(visitor, code);
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @ConsoleAccess('signed_in')
  renewRecoveryCodes(
    @SignedIn() visitor: SignedInVisitor,
    @Body(new JsonBody(PasswordRequest)) { password }: PasswordRequest,
  ): Promise<RecoveryCodes> {
    return this.codes.renewRecoveryCodes(visitor, password);
  }

  @Post('totp/disable')
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  disableTotp(@SignedIn() visitor: SignedInVisitor, @Body(new JsonBody(PasswordRequest)) { password }: PasswordRequest): Promise<void> {
    return this.codes.disable(visitor, password);
  }
}
