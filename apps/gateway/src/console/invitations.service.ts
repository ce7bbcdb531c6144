import {
  NewPassword,
  type AcceptInvitationRequest,
  type Invitation,
  type InvitationList,
  type InvitationOffer,
  type InviteRequest,
  type IssuedInvitation,
  type Role,
} from '@tire/contracts';
import { DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hashPassword } from '../password';
import { CLOCK } from '../tokens';
import { recordDeed, type Actor } from './audit.store';
import type { Client } from './client';
import {
  closeInvitation,
  findInvitation,
  insertInvitation,
  listInvitations,
  lockInvitation,
  type InvitationRow,
} from './invitations.store';
import { isMember } from './members.store';
import { newToken } from './secrets';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';
import { INVITATION_GONE, SignIn, type SignedIn } from './sign-in.service';
import { createUser, findUser, findUserByEmail, type User } from './users.store';

const GOOD_FOR_MS = 7 * 24 * 60 * 60_000;

interface Inviter {
  readonly actor: Actor;
  readonly role: Role | undefined;
}

@Injectable()
export class Invitations {
  constructor(
    private readonly database: Database,
    private readonly signIn: SignIn,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The link is answered once and kept nowhere; its secret stands behind the #, which no server and no Referer sees. */
  async issue(organizationId: string, { actor, role: own }: Inviter, { email, role }: InviteRequest): Promise<IssuedInvitation> {
    if (role === 'owner' && own !== 'owner') throw new DomainError('forbidden', { message: 'Only an owner makes owners.' });
    const now = this.clock.now();
    const [token, expiresAt] = [newToken(), new Date(now.getTime() + GOOD_FOR_MS)];
    return this.database.asSystem(async (tx) => {
      if (await isMember(tx, organizationId, email)) throw new DomainError('conflict', { message: 'This address is a member already.' });
      const invitation = { organizationId, email, role, token, invitedBy: actor.userId, now, expiresAt };
      const invitationId = await insertInvitation(tx, invitation);
      await recordDeed(tx, organizationId, actor, { action: 'invitation.issued', subject: email, details: { role } }, now);
      return {
        invitation: shown({ invitationId, email, role, invitedBy: actor.email, createdAt: now, expiresAt }),
        link: `${this.settings.origin}/console/accept-invitation#${token}`,
      };
    });
  }

  async list(organizationId: string): Promise<InvitationList> {
    const rows = await this.database.asSystem((tx) => listInvitations(tx, organizationId, this.clock.now()));
    return { invitations: rows.map(shown) };
  }

  revoke(organizationId: string, actor: Actor, invitationId: string): Promise<void> {
    return this.database.asSystem(async (tx) => {
      const now = this.clock.now();
      const email = await closeInvitation(tx, organizationId, invitationId, now);
      if (email === null) throw new DomainError('not_found');
      await recordDeed(tx, organizationId, actor, { action: 'invitation.revoked', subject: email }, now);
    });
  }

  async offer(token: string): Promise<InvitationOffer> {
    const [invitation, user] = await this.database.asSystem(async (tx) => {
      const open = await this.open(tx, token);
      return [open, await findUserByEmail(tx, open.email)];
    });
    return {
      organization_name: invitation.organizationName,
      email: invitation.email,
      role: invitation.role,
      expires_at: invitation.expiresAt.toISOString(),
      account_exists: user !== null,
    };
  }

  async accept({ token, name, password }: AcceptInvitationRequest, client: Client): Promise<SignedIn> {
    const [invitation, existing] = await this.database.asSystem(async (tx) => {
      const open = await this.open(tx, token);
      return [open, await findUserByEmail(tx, open.email)];
    });
    const account = existing
      ? await this.existing(invitation.email, password, client)
      : { name: name ?? invitation.email.split('@', 1)[0]!, passwordHash: await newPasswordHash(password) };
    return this.database.asSystem(async (tx) => {
      const { email, invitationId } = invitation;
      if (!(await lockInvitation(tx, invitationId, this.clock.now()))) throw new DomainError('not_found', { message: INVITATION_GONE });
      const user = 'userId' in account ? account : await findUser(tx, await createUser(tx, { email, ...account }));
      return this.signIn.begin(tx, user, client, { invitation });
    });
  }

  private async existing(email: string, password: string, client: Client): Promise<User> {
    const user = await this.signIn.checked(email, password, client);
    if (!user) throw new DomainError('unauthorized', { message: 'The password is not that of your account.' });
    return user;
  }

  private async open(tx: EntityManager, token: string): Promise<InvitationRow> {
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

async function newPasswordHash(password: string): Promise<string> {
  const { error } = NewPassword.safeParse(password);
  if (error) throw new DomainError('validation_error', { param: 'password', message: `password: ${error.issues[0]?.message}` });
  return hashPassword(password);
}
