import { AcceptInvitationRequest, InvitationToken, type InvitationOffer, type SignInAnswer } from '@tire/contracts';
import { Body, Controller, HttpCode, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { JsonBody } from '../json-body.pipe';
import type { Client } from './client';
import { setSessionCookie } from './cookie';
import { CONSOLE_API, ConsoleAccess, From } from './door';
import { Invitations } from './invitations.service';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';
import { SignInLimits } from './sign-in-limits';

/** What somebody does who was invited and is not signed in. */
@Controller(`${CONSOLE_API}/invitations`)
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly limits: SignInLimits,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  @Post('look-up')
  @HttpCode(200)
  @ConsoleAccess('everyone')
  lookUp(@From() client: Client, @Body(new JsonBody(InvitationToken)) { token }: InvitationToken): Promise<InvitationOffer> {
    return this.limited(client, () => this.invitations.offer(token));
  }

  @Post('accept')
  @HttpCode(200)
  @ConsoleAccess('everyone')
  async accept(
    @From() client: Client,
    @Body(new JsonBody(AcceptInvitationRequest)) request: AcceptInvitationRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInAnswer> {
    const { answer, token } = await this.limited(client, () => this.invitations.accept(request, client));
    setSessionCookie(reply, this.settings.cookie, token);
    return answer;
  }

  private limited<T>(client: Client, work: () => Promise<T>): Promise<T> {
    return this.limits.attempt('invitation', client.address, () => true, work);
  }
}
