import type { ChangePasswordRequest, SessionList } from '@tire/contracts/console';
import { CLOCK, DomainError, faulty, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { AccountMails } from './account-mails';
import { hashPassword } from './password';
import { recordInEveryOrganization, type AuditedChange } from '../../audit/audit.store';
import type { SessionCaller } from '../../edge/callers';
import { OpenIdChallenges } from '../openid/openid.challenge';
import { SessionsService } from '../sessions/sessions.service';
import { endOtherSessions, endSession } from '../sessions/sessions.store';
import { SignInService } from '../sessions/sign-in.service';
import { findUser, replacePasswordHash, setName } from './users.store';

/** Changes that users make to their own account. A lasting change requires the password again. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly challenges: OpenIdChallenges,
    private readonly mails: AccountMails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async sessionList({ session }: SessionCaller): Promise<SessionList> {
    const rows = await this.sessions.list(session.userId);
    return {
      sessions: rows.map((row) => ({
        session_id: row.sessionId,
        current: row.sessionId === session.sessionId,
        created_at: row.createdAt.toISOString(),
        last_seen_at: row.lastSeenAt.toISOString(),
        address: row.address,
        user_agent: row.userAgent,
      })),
    };
  }

  rename({ session, actor }: SessionCaller, name: string): Promise<void> {
    return this.database.asSystem(async (tx) => {
      const { name: before } = await findUser(tx, session.userId);
      await setName(tx, session.userId, name);
      if (name === before) return;
      await recordInEveryOrganization(tx, actor, { action: 'account.renamed', details: { from: before, to: name } }, this.clock.now());
    });
  }

  endSession({ session, actor }: SessionCaller, sessionId: string): Promise<void> {
    return this.database.asSystem(async (tx) => {
      if (!(await endSession(tx, session.userId, sessionId))) throw new DomainError('not_found');
      await recordInEveryOrganization(tx, actor, { action: 'session.ended' }, this.clock.now());
    });
  }

  /** A first password needs a recent confirmation at the OpenID Connect provider instead of the current one. */
  async changePassword(caller: SessionCaller, request: ChangePasswordRequest, confirmation: string | null): Promise<void> {
    const { current_password: current = '', new_password: next } = request;
    const { passwordHash: before } = await this.database.asSystem((tx) => findUser(tx, caller.session.userId));
    if (before !== null) await this.signIn.requirePassword(caller, current, 'current_password');
    else if (!this.challenges.isConfirmed(confirmation, caller.session)) throw unconfirmed();
    const passwordHash = await hashPassword(next);
    const change: AuditedChange = { action: 'password.changed', details: before === null ? { with: 'openid' } : {} };
    await this.database.asSystem(async (tx) => {
      if (!(await replacePasswordHash(tx, caller.session.userId, before, passwordHash))) throw changedMeanwhile();
      await endOtherSessions(tx, caller.session.userId, caller.session.sessionId);
      await recordInEveryOrganization(tx, caller.actor, change, this.clock.now());
      await this.mails.alert(tx, caller.actor, 'password_changed', caller.client);
    });
  }
}

const changedMeanwhile = (): DomainError => faulty('current_password', 'The password was changed a moment ago, elsewhere.');

const unconfirmed = (): DomainError =>
  faulty(
    'current_password',
    'There is no password yet. To set one, confirm who you are at the sign-in provider first, at most ten minutes before.',
  );
