import type { OpenIdStart } from '@tire/contracts/console';
import { Inject, Injectable } from '@nestjs/common';
import type { Client } from '../../edge/client';
import type { OperationHandlers } from '../../edge/operation-handlers';
import { HttpResponse } from '../../edge/response';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import { AccountMails } from '../accounts/account-mails';
import { challengeCookie, challengeOf, clearedChallengeCookie, sessionToken, signedInCookies } from '../sessions/cookie';
import { CHALLENGE_MS, CONFIRMED_MS, OpenIdChallenges } from './openid.challenge';
import { OpenIdProvider } from './openid.provider';
import type { AuthorizationRequest } from './openid.requests';
import { OpenIdService, type Outcome } from './openid.service';

/** Where the browser goes afterwards. Nothing that a client sends has an influence on it. */
const PAGES: Readonly<Record<Outcome['page'], string>> = {
  signed_in: '/console/',
  totp_required: '/console/#code',
  refused: '/console/#refused',
  unknown_request: '/console/#refused',
  unavailable: '/console/#unavailable',
  connected: '/console/account#connected',
  not_connected: '/console/account#not-connected',
  confirmed: '/console/account#confirmed',
  not_confirmed: '/console/account#not-confirmed',
};

@Injectable()
export class OpenIdHandlers {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly openId: OpenIdService,
    private readonly challenges: OpenIdChallenges,
    private readonly mails: AccountMails,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  readonly handlers = {
    getSignInOptions: () => {
      const { name } = this.provider;
      return { openid: name === null ? null : { name }, password_reset: this.mails.areSent };
    },
    signInWithOpenId: async ({ request }) => this.started(await this.openId.begin(sessionToken(request, this.settings.cookie))),
    acceptInvitationWithOpenId: async ({ request, body }) =>
      this.started(await this.openId.begin(sessionToken(request, this.settings.cookie), body.token)),
    connectOpenId: async ({ caller, body }) => this.started(await this.openId.beginToConnect(caller, body.password)),
    confirmWithOpenId: async ({ caller }) => this.started(await this.openId.beginToConfirm(caller)),
    openIdCallback: ({ caller, request }) =>
      this.callback(new URL(request.url, this.settings.origin).search, challengeOf(request, this.settings.cookie), caller.client),
  } satisfies Partial<OperationHandlers>;

  private started({ authorizationUrl, sealed }: AuthorizationRequest): HttpResponse {
    const response: OpenIdStart = { authorization_url: authorizationUrl };
    return new HttpResponse(JSON.stringify(response), challengeCookie(this.settings.cookie, sealed, CHALLENGE_MS / 1_000));
  }

  /** The provider redirects the browser here: the response is a redirect to a page and not a document. */
  private async callback(query: string, challenge: string | null, client: Client): Promise<HttpResponse> {
    const { cookie } = this.settings;
    const { page, token, browserToken, confirmed } = await this.openId.finish(challenge, query, client);
    const cookies: string[] = [];
    if (confirmed) cookies.push(challengeCookie(cookie, this.challenges.confirm(confirmed), CONFIRMED_MS / 1_000)['set-cookie']);
    // A request that was started in another tab stays valid.
    else if (page !== 'unknown_request') cookies.push(clearedChallengeCookie(cookie)['set-cookie']);
    if (token !== null) cookies.push(...signedInCookies(cookie, token, browserToken));
    return new HttpResponse(null, { location: PAGES[page], 'referrer-policy': 'no-referrer', 'set-cookie': cookies });
  }
}
