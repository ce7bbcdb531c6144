import { InvitationToken, PasswordRequest, type OpenIdStart, type SignInOptions } from '@tire/contracts';
import { Body, Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonBody } from '../json-body.pipe';
import type { Client } from './client';
import { challengeOf, clearChallengeCookie, sessionToken, setChallengeCookie, setSessionCookie } from './cookie';
import { CONSOLE_API, ConsoleAccess, From, SignedIn, type SignedInVisitor } from './door';
import { CHALLENGE_MS, CONFIRMED_MS, OpenIdChallenges } from './openid.challenge';
import { CALLBACK, OpenIdProvider } from './openid.provider';
import { OpenIdSignIn, type Outcome } from './openid.service';
import type { Begin } from './openid.trips';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';

/** Where the browser goes afterwards; nothing that a caller sends says so. */
const PAGES: Readonly<Record<Outcome['page'], string>> = {
  signed_in: '/console/',
  totp_required: '/console/#code',
  refused: '/console/#refused',
  unasked: '/console/#refused',
  unavailable: '/console/#unavailable',
  connected: '/console/account#connected',
  not_connected: '/console/account#not-connected',
  confirmed: '/console/account#confirmed',
  not_confirmed: '/console/account#not-confirmed',
};

@Controller(CONSOLE_API)
export class OpenIdController {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly openId: OpenIdSignIn,
    private readonly challenges: OpenIdChallenges,
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
  async start(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<OpenIdStart> {
    return this.sendOff(reply, await this.openId.begin(sessionToken(request, this.settings.cookie)));
  }

  @Post('invitations/openid')
  @HttpCode(200)
  @ConsoleAccess('everyone')
  async join(
    @Req() request: FastifyRequest,
    @Body(new JsonBody(InvitationToken)) { token }: InvitationToken,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenIdStart> {
    return this.sendOff(reply, await this.openId.begin(sessionToken(request, this.settings.cookie), token));
  }

  @Post('account/openid')
  @HttpCode(200)
  @ConsoleAccess('signed_in')
  async connect(
    @SignedIn() visitor: SignedInVisitor,
    @Body(new JsonBody(PasswordRequest)) { password }: PasswordRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenIdStart> {
    return this.sendOff(reply, await this.openId.beginToConnect(visitor, password));
  }

  @Post('account/openid/confirm')
  @HttpCode(200)
  @ConsoleAccess('signed_in')
  async confirm(@SignedIn() visitor: SignedInVisitor, @Res({ passthrough: true }) reply: FastifyReply): Promise<OpenIdStart> {
    return this.sendOff(reply, await this.openId.beginToConfirm(visitor));
  }

  /** The provider sends the browser here: a page of its own, not a call of the console. */
  @Get(CALLBACK)
  @ConsoleAccess('everyone')
  async callback(@From() client: Client, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<FastifyReply> {
    const { cookie } = this.settings;
    const query = new URL(request.url, this.settings.origin).search;
    const { page, token, confirmed } = await this.openId.finish(challengeOf(request, cookie), query, client);
    // What was begun in another tab goes on.
    if (confirmed) setChallengeCookie(reply, cookie, this.challenges.confirm(confirmed), CONFIRMED_MS / 1_000);
    else if (page !== 'unasked') clearChallengeCookie(reply, cookie);
    if (token !== null) setSessionCookie(reply, cookie, token);
    return reply.code(303).header('location', PAGES[page]).header('referrer-policy', 'no-referrer').send();
  }

  private sendOff(reply: FastifyReply, { authorizationUrl, sealed }: Begin): OpenIdStart {
    setChallengeCookie(reply, this.settings.cookie, sealed, CHALLENGE_MS / 1_000);
    return { authorization_url: authorizationUrl };
  }
}
