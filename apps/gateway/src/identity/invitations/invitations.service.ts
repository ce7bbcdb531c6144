import {
  NewPassword,
  type AcceptInvitationRequest,
  type Invitation,
  type InvitationList,
  type InvitationOffer,
  type InviteRequest,
  type IssuedInvitation,
} from '@tire/contracts/console';
import { CLOCK, DomainError, faulty, type Clock } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { AccountMails } from '../accounts/account-mails';
import { hashPassword } from '../accounts/password';
import { recordChange } from '../../audit/audit.store';
import type { MemberCaller } from '../../edge/callers';
import type { Client } from '../../edge/client';
import {
  closeInvitation,
  findInvitation,
  insertInvitation,
  listInvitations,
  lockInvitation,
  type InvitationRow,
} from './invitations.store';
import { requireOrganization } from '../../organizations/organization.store';
import { isMember } from '../members/members.store';
import { newToken } from '../secrets';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import { INVITATION_GONE, SignInService, type SignedIn } from '../sessions/sign-in.service';
import { createUser, findUser, findUserByEmail, type User } from '../accounts/users.store';

const VALID_FOR_MS = 7 * 24 * 60 * 60_000;

@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly signIn: SignInService,
    private readonly mails: AccountMails,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The link is in this response only and is not stored. Its secret is in the fragment, which neither a server nor a Referer header gets. */
  async issue({ organizationId, actor, role: ownRole }: MemberCaller, { email, role }: InviteRequest): Promise<IssuedInvitation> {
    if (role === 'owner' && ownRole !== 'owner') throw new DomainError('forbidden', { message: 'Only an owner makes owners.' });
    const now = this.clock.now();
    const [token, expiresAt] = [newToken(), new Date(now.getTime() + VALID_FOR_MS)];
    return this.database.asSystem(async (tx) => {
      if (await isMember(tx, organizationId, email)) throw new DomainError('conflict', { message: 'This address is a member already.' });
      const invitation = { organizationId, email, role, token, invitedBy: actor.userId, now, expiresAt };
      const invitationId = await insertInvitation(tx, invitation);
      await recordChange(tx, organizationId, actor, { action: 'invitation.issued', subject: email, details: { role } }, now);
      const link = `${this.settings.origin}/console/accept-invitation#${token}`;
      const { name: organizationName } = await requireOrganization(tx, organizationId);
      return {
        invitation: shown({ invitationId, email, role, invitedBy: actor.email, createdAt: now, expiresAt }),
        link,
        mailed: await this.mails.invite(tx, { organizationId, organizationName, email, role, link, expiresAt }),
      };
    });
  }

  async list(organizationId: string): Promise<InvitationList> {
    const rows = await this.database.asSystem((tx) => listInvitations(tx, organizationId, this.clock.now()));
    return { invitations: rows.map(shown) };
  }

  revoke({ organizationId, actor }: MemberCaller, invitationId: string): Promise<void> {
    return this.database.asSystem(async (tx) => {
      const now = this.clock.now();
      const email = await closeInvitation(tx, organizationId, invitationId, now);
      if (email === null) throw new DomainError('not_found');
      await recordChange(tx, organizationId, actor, { action: 'invitation.revoked', subject: email }, now);
    });
  }

  /** Whether the address has an account is not part of it: the one who invites has the link, too. */
  async offer(token: string): Promise<InvitationOffer> {
    const invitation = await this.database.asSystem((tx) => this.open(tx, token));
    return {
      organization_name: invitation.organizationName,
      email: invitation.email,
      role: invitation.role,
      expires_at: invitation.expiresAt.toISOString(),
    };
  }

  /** The form of the password is checked before anything else, so that its refusal reveals nothing about the address. */
  async accept({ token, name, password }: AcceptInvitationRequest, client: Client): Promise<SignedIn> {
    requireNewPassword(password);
    const [invitation, existing] = await this.database.asSystem(async (tx) => {
      const open = await this.open(tx, token);
      return [open, await findUserByEmail(tx, open.email)];
    });
    const account = existing
      ? await this.existing(invitation.email, password, client)
      : { name: name ?? invitation.email.split('@', 1)[0]!, passwordHash: await hashPassword(password) };
    return this.database.asSystem(async (tx) => {
      const { email, invitationId } = invitation;
      if (!(await lockInvitation(tx, invitationId, this.clock.now()))) throw new DomainError('not_found', { message: INVITATION_GONE });
      const user = 'userId' in account ? account : await findUser(tx, await createUser(tx, { email, ...account }));
      return this.signIn.begin(tx, user, client, { invitation, isNewAccount: !existing });
    });
  }

  private async existing(email: string, password: string, client: Client): Promise<User> {
    const user = await this.signIn.checked(email, password, client);
    if (!user) throw new DomainError('unauthorized', { message: 'The password is not that of your account.' });
    return user;
  }

  private async open(tx: Tx, token: string): Promise<InvitationRow> {
    const invitation = await findInvitation(tx, token, this.clock.now());
    if (!invitation) throw new DomainError('not_found', { message: INVITATION_GONE });
    return invitation;
  }
}

const shown = (row: Pick<InvitationRow, 'invitationId' | 'email' | 'role' | 'invitedBy' | 'createdAt' | 'expiresAt'>): Invitation => ({
  invitation_id: row.invitationId,
  email: row.email,
  role: row.role,
  invited_by: row.invitedBy,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
});

function requireNewPassword(password: string): void {
  const { error } = NewPassword.safeParse(password);
  if (error) throw faulty('password', error.issues[0]!.message);
}
