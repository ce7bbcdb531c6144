import { Inject, Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../../edge/operation-handlers';
import { HttpResponse } from '../../edge/response';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import { OneTimeCodesService } from '../one-time-codes/one-time-codes.service';
import { challengeOf, clearedChallengeCookie } from '../sessions/cookie';
import { SignInLimits } from '../sessions/sign-in-limits';
import { AccountService } from './account.service';
import { PasswordResetService } from './password-reset.service';

@Injectable()
export class AccountHandlers {
  constructor(
    private readonly account: AccountService,
    private readonly codes: OneTimeCodesService,
    private readonly resets: PasswordResetService,
    private readonly limits: SignInLimits,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  readonly handlers = {
    listSessions: ({ caller }) => this.account.sessionList(caller),
    endSession: ({ caller, params }) => this.account.endSession(caller, params.session_id),
    changeProfile: ({ caller, body }) => this.account.rename(caller, body.name),
    changePassword: async ({ caller, body, request }) => {
      const confirmation = challengeOf(request, this.settings.cookie);
      await this.account.changePassword(caller, body, confirmation);
      return new HttpResponse(null, confirmation === null ? {} : clearedChallengeCookie(this.settings.cookie));
    },
    requestPasswordReset: ({ caller, body }) => this.resets.request(body.email, caller.client),
    resetPassword: ({ caller: { client }, body }) =>
      this.limits.attempt(
        null,
        client.address,
        () => true,
        () => this.resets.reset(body.token, body.password, client),
      ),
    beginTotp: ({ caller, body }) => this.codes.begin(caller, body.password),
    confirmTotp: ({ caller, body }) => this.codes.confirm(caller, body.code),
    renewRecoveryCodes: ({ caller, body }) => this.codes.renewRecoveryCodes(caller, body.password),
    disableTotp: ({ caller, body }) => this.codes.disable(caller, body.password),
  } satisfies Partial<OperationHandlers>;
}
