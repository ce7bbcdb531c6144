import { Inject, Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../../edge/operation-handlers';
import { HttpResponse } from '../../edge/response';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import { sessionToken, signedInCookies } from '../sessions/cookie';
import { SignInService } from '../sessions/sign-in.service';
import { PasskeysService } from './passkeys.service';

@Injectable()
export class PasskeyHandlers {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly signIn: SignInService,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  readonly handlers = {
    beginPasskeySignIn: async ({ caller, body, request }) => {
      const token = body.is_second_factor ? sessionToken(request, this.settings.cookie) : null;
      return { options: { ...(await this.signIn.passkeyOptions(body.is_second_factor, token, caller.client)) } };
    },
    signInWithPasskey: async ({ caller, body, request }) => {
      const { cookie } = this.settings;
      const { response, token, browserToken } = await this.signIn.withPasskey(sessionToken(request, cookie), body.response, caller.client);
      return new HttpResponse(JSON.stringify(response), { 'set-cookie': signedInCookies(cookie, token, browserToken) });
    },
    listPasskeys: ({ caller }) => this.passkeys.list(caller),
    beginPasskey: ({ caller, body }) => this.passkeys.begin(caller, body.password),
    addPasskey: ({ caller, body }) => this.passkeys.add(caller, body.name, body.response),
    renamePasskey: ({ caller, params, body }) => this.passkeys.rename(caller, params.passkey_id, body.name),
    removePasskey: ({ caller, params }) => this.passkeys.remove(caller, params.passkey_id),
  } satisfies Partial<OperationHandlers>;
}
