import type { OpenIdStart, SignInOptions } from '@tire/contracts';
import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from './client';
import { challengeToken, clearChallengeCookie, setChallengeCookie, setSessionCookie } from './cookie';
import { CONSOLE_API, ConsoleAccess, From } from './door';
import { CALLBACK, OpenIdProvider } from './openid.provider';
import { CHALLENGE_MS, OpenIdSignIn } from './openid.service';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';

/** Where the browser goes afterwards; nothing that a caller sends says so. */
const PAGES = { signed_in: '/console/', totp_required: '/console/#code', refused: '/console/#refused' } as const;

@Controller(CONSOLE_API)
export class OpenIdController {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly openId: OpenIdSignIn,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  @Get('sign-in-options')
  @ConsoleAccess('everyone')
  options(): SignInOptions {
    const { name } = this.provider;
    return { openid: name === null ? null : { name } };
  }

  @Post('session/openid')
  @HttpCode(200)
  @ConsoleAccess('everyone')
  async start(@From() client: Client, @Res({ passthrough: true }) reply: FastifyReply): Promise<OpenIdStart> {
    const { answer, token } = await this.openId.start(client);
    setChallengeCookie(reply, this.settings.cookie, token, CHALLENGE_MS / 1_000);
    return answer;
  }

  /** The provider sends the browser here: a page of its own, not a call of the console. */
  @Get(CALLBACK)
  @ConsoleAccess('everyone')
  async callback(@From() client: Client, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<FastifyReply> {
    const { cookie } = this.settings;
    const query = new URL(request.url, this.settings.origin).search;
    const signedIn = await this.openId.finish(challengeToken(request, cookie), query, client);
    clearChallengeCookie(reply, cookie);
    if (signedIn) setSessionCookie(reply, cookie, signedIn.token);
    return reply
      .code(303)
      .header('location', PAGES[signedIn?.answer.status ?? 'refused'])
      .header('referrer-policy', 'no-referrer')
      .send();
  }
}
