import type { Role } from '@tire/contracts/console';
import { CLOCK, type Clock } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { alertMail, invitationMail, passwordResetMail, type AlertKind } from '../../domain/account-mails';
import type { Client } from '../../edge/client';
import { Messages } from '../../messages/messages';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import { takeAttemptIn } from '../sessions/attempts.store';

const DAY_MS = 86_400_000;
/** Limits of mails to one address. Each limit fills up again within an hour. */
const INVITATIONS_OF_ADDRESS = { burst: 5, perSecond: 5 / 3_600 };
const INVITATIONS_OF_ORGANIZATION = { burst: 50, perSecond: 50 / 3_600 };
const ALERTS_OF_USER = { burst: 20, perSecond: 20 / 3_600 };

interface Owner {
  readonly userId: string;
  readonly email: string;
}

interface InvitationToMail {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
  readonly link: string;
  readonly expiresAt: Date;
}

interface AlertContext {
  readonly name?: string;
  /** The project in whose scope the transaction runs. */
  readonly projectId?: string;
}

/** What an account gets by e-mail, if the operator configured a server. Each is written in the transaction of its cause. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly messages: Messages,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  get areSent(): boolean {
    return this.messages.has('email');
  }

  /** False if none is sent: the inviter has the link, and sends it. */
  async invite(tx: Tx, invitation: InvitationToMail): Promise<boolean> {
    const { organizationId: owner, organizationName: organization, email: to, role, link, expiresAt } = invitation;
    if (!this.areSent) return false;
    if (!(await takeAttemptIn(tx, `invitation mail ${owner}`, INVITATIONS_OF_ORGANIZATION, this.clock.now()))) return false;
    if (!(await takeAttemptIn(tx, `invitation mail ${to}`, INVITATIONS_OF_ADDRESS, this.clock.now()))) return false;
    const mail = invitationMail({ organization, role, link, expiresAt });
    await this.messages.add(tx, { owner, kind: 'invitation', channel: 'email', to, ...mail, expiresAt });
    return true;
  }

  async resetPassword(tx: Tx, { userId, email }: Owner, token: string, expiresAt: Date): Promise<void> {
    const minutes = Math.round((expiresAt.getTime() - this.clock.now().getTime()) / 60_000);
    const mail = passwordResetMail({ link: `${this.settings.origin}/console/reset-password#${token}`, minutes });
    await this.messages.add(tx, { owner: userId, kind: 'password_reset', channel: 'email', to: email, ...mail, expiresAt });
  }

  async alert(tx: Tx, { userId, email }: Owner, kind: AlertKind, client: Client, { name, projectId }: AlertContext = {}): Promise<void> {
    const now = this.clock.now();
    if (!this.areSent || !(await takeAttemptIn(tx, `alert mail ${userId}`, ALERTS_OF_USER, now))) return;
    const { address, userAgent } = client;
    const mail = alertMail(kind, { at: now, address, userAgent, name, accountPage: `${this.settings.origin}/console/account` });
    const expiresAt = new Date(now.getTime() + DAY_MS);
    await this.messages.add(tx, { owner: userId, projectId, kind: 'alert', channel: 'email', to: email, ...mail, expiresAt });
  }
}
