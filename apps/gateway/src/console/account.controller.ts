import {
  ChangePasswordRequest,
  OneTimeCodeRequest,
  PasswordRequest,
  ProfileRequest,
  type RecoveryCodes,
  type SessionList,
  type TotpSetup,
} from '@tire/contracts';
import { Database } from '@tire/platform';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../json-body.pipe';
import { IdPipe } from '../parameters';
import { Account } from './account.service';
import { CONSOLE_API, ConsoleAccess, SignedIn, type SignedInVisitor } from './door';
import { OneTimeCodes } from './one-time-codes.service';
import { Sessions } from './sessions.service';
import { setName } from './users.store';

@Controller(`${CONSOLE_API}/account`)
export class AccountController {
  constructor(
    private readonly database: Database,
    private readonly account: Account,
    private readonly codes: OneTimeCodes,
    private readonly sessions: Sessions,
  ) {}

  @Get('sessions')
  @ConsoleAccess('signed_in')
  list(@SignedIn() visitor: SignedInVisitor): Promise<SessionList> {
    return this.account.sessionList(visitor);
  }

  @Delete('sessions/:session_id')
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  endSession(@SignedIn() { session }: SignedInVisitor, @Param('session_id', IdPipe) sessionId: string): Promise<void> {
    return this.sessions.end(session.userId, sessionId);
  }

  @Patch()
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  async rename(@SignedIn() { session }: SignedInVisitor, @Body(new JsonBody(ProfileRequest)) { name }: ProfileRequest): Promise<void> {
    await this.database.asSystem((tx) => setName(tx, session.userId, name));
  }

  @Post('password')
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  changePassword(
    @SignedIn() visitor: SignedInVisitor,
    @Body(new JsonBody(ChangePasswordRequest)) { current_password, new_password }: ChangePasswordRequest,
  ): Promise<void> {
    return this.account.changePassword(visitor, current_password, new_password);
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
