import type { ChangePasswordRequest, SessionList } from '@tire/contracts';
import { DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { hashPassword } from '../password';
import { CLOCK } from '../tokens';
import { recordEverywhere, type Deed } from './audit.store';
import type { SignedInVisitor } from './door';
import { OpenIdChallenges } from './openid.challenge';
import { Sessions } from './sessions.service';
import { endOtherSessions, endSession } from './sessions.store';
import { SignIn } from './sign-in.service';
import { findUser, replacePasswordHash, setName } from './users.store';

/** What a user does to his own account. Whoever found an open screen is asked for the password before anything that lasts. */
@Injectable()
export class Account {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly signIn: SignIn,
    private readonly challenges: OpenIdChallenges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async sessionList({ session }: SignedInVisitor): Promise<SessionList> {
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

  rename({ session, actor }: SignedInVisitor, name: string): Promise<void> {
    return this.database.asSystem(async (tx) => {
      const { name: before } = await findUser(tx, session.userId);
      await setName(tx, session.userId, name);
      if (name === before) return;
      await recordEverywhere(tx, actor, { action: 'account.renamed', details: { from: before, to: name } }, this.clock.now());
    });
  }

  endSession({ session, actor }: SignedInVisitor, sessionId: string): Promise<void> {
    return this.database.asSystem(async (tx) => {
      if (!(await endSession(tx, session.userId, sessionId))) throw new DomainError('not_found');
      await recordEverywhere(tx, actor, { action: 'session.ended' }, this.clock.now());
    });
  }

  /** The first one of who comes in by the provider takes what he confirmed there. */
  async changePassword(visitor: SignedInVisitor, change: ChangePasswordRequest, confirmation: string | null): Promise<void> {
    const { current_password: current = '', new_password: next } = change;
    const { passwordHash: before } = await this.database.asSystem((tx) => findUser(tx, visitor.session.userId));
    if (before !== null) await this.signIn.requirePassword(visitor, current, 'current_password');
    else if (!this.challenges.isConfirmed(confirmation, visitor.session)) throw unconfirmed();
    const passwordHash = await hashPassword(next);
    const deed: Deed = { action: 'password.changed', details: before === null ? { with: 'openid' } : {} };
    await this.database.asSystem(async (tx) => {
      if (!(await replacePasswordHash(tx, visitor.session.userId, before, passwordHash))) throw overtaken();
      await endOtherSessions(tx, visitor.session.userId, visitor.session.sessionId);
      await recordEverywhere(tx, visitor.actor, deed, this.clock.now());
    });
  }
}

const overtaken = (): DomainError =>
  new DomainError('validation_error', { param: 'current_password', message: 'The password was changed a moment ago, elsewhere.' });

const unconfirmed = (): DomainError =>
  new DomainError('validation_error', {
    param: 'current_password',
    message: 'There is no password yet. To set one, confirm at the sign-in provider who you are, ten minutes before at most.',
  });
