import type { SessionList } from '@tire/contracts';
import type { Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { hashPassword } from '../password';
import { CLOCK } from '../tokens';
import { recordEverywhere } from './audit.store';
import type { SignedInVisitor } from './door';
import { Sessions } from './sessions.service';
import { endOtherSessions } from './sessions.store';
import { SignIn } from './sign-in.service';
import { setPasswordHash } from './users.store';

/** What a user does to his own account. Whoever found an open screen is asked for the password before anything that lasts. */
@Injectable()
export class Account {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly signIn: SignIn,
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

  async changePassword(visitor: SignedInVisitor, current: string, next: string): Promise<void> {
    await this.signIn.requirePassword(visitor, current, 'current_password');
    const passwordHash = await hashPassword(next);
    await this.database.asSystem(async (tx) => {
      await setPasswordHash(tx, visitor.session.userId, passwordHash);
      await endOtherSessions(tx, visitor.session.userId, visitor.session.sessionId);
      await recordEverywhere(tx, visitor.actor, { action: 'password.changed' }, this.clock.now());
    });
  }
}
