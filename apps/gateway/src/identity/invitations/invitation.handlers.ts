import { Inject, Injectable } from '@nestjs/common';
import type { Client } from '../../edge/client';
import type { OperationHandlers } from '../../edge/operation-handlers';
import { HttpResponse } from '../../edge/response';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import { signedInCookies } from '../sessions/cookie';
import { SignInLimits } from '../sessions/sign-in-limits';
import { InvitationsService } from './invitations.service';

@Injectable()
export class InvitationHandlers {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly limits: SignInLimits,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  readonly handlers = {
    lookUpInvitation: ({ caller, body }) => this.limited(caller.client, () => this.invitations.offer(body.token)),
    acceptInvitation: async ({ caller: { client }, body }): Promise<HttpResponse> => {
      const { response, token, browserToken } = await this.limited(client, () => this.invitations.accept(body, client));
      return new HttpResponse(JSON.stringify(response), { 'set-cookie': signedInCookies(this.settings.cookie, token, browserToken) });
    },
    listInvitations: ({ caller }) => this.invitations.list(caller.organizationId),
    invite: ({ caller, body }) => this.invitations.issue(caller, body),
    revokeInvitation: ({ caller, params }) => this.invitations.revoke(caller, params.invitation_id),
  } satisfies Partial<OperationHandlers>;

  private limited<T>(client: Client, work: () => Promise<T>): Promise<T> {
    return this.limits.attempt(null, client.address, () => true, work);
  }
}
