import type { SessionList, TotpSetup } from '@tire/contracts';
import { DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { acceptedStep, base32, otpauthUri } from '../domain/totp';
import { hashPassword } from '../password';
import { CLOCK } from '../tokens';
import { recordEverywhere, type Deed } from './audit.store';
import type { SignedInVisitor } from './door';
import { Sessions } from './sessions.service';
import { endOtherSessions } from './sessions.store';
import { SignIn } from './sign-in.service';
import { SignInLimits } from './sign-in-limits';
import { disableTotp, enableTotp, findUser, setPasswordHash, setPendingTotp } from './users.store';

/** RFC 4226: as long as the digest. */
const TOTP_SECRET_BYTES = 20;
const ISSUER = 'Tire inspection';

/** What a user does to his own account. Whoever found an open screen is asked for the password before anything that lasts. */
@Injectable()
export class Account {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly signIn: SignIn,
    private readonly limits: SignInLimits,
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
    await this.requirePassword(visitor, current, 'current_password');
    const passwordHash = await hashPassword(next);
    await this.database.asSystem(async (tx) => {
      await setPasswordHash(tx, visitor.session.userId, passwordHash);
      await this.endOthers(tx, visitor, { action: 'password.changed' });
    });
  }

  async beginTotp(visitor: SignedInVisitor, password: string): Promise<TotpSetup> {
    await this.requirePassword(visitor, password, 'password');
    const secret = randomBytes(TOTP_SECRET_BYTES);
    return this.database.asSystem(async (tx) => {
      const { email, totpSecret } = await findUser(tx, visitor.session.userId);
      if (totpSecret) throw new DomainError('conflict', { message: 'One-time codes are on already.' });
      await setPendingTotp(tx, visitor.session.userId, secret);
      return { secret: base32(secret), otpauth_uri: otpauthUri(secret, ISSUER, email) };
    });
  }

  async confirmTotp(visitor: SignedInVisitor, code: string): Promise<void> {
    const { userId } = visitor.session;
    const right = await this.limits.attempt(`code ${userId}`, visitor.client.address, Boolean, () =>
      this.database.asSystem(async (tx) => {
        const { totpPending } = await findUser(tx, userId);
        if (!totpPending) throw new DomainError('conflict', { message: 'Begin with setting one-time codes up.' });
        const step = acceptedStep(totpPending, code, 0, this.clock.now());
        if (step === null) return false;
        await enableTotp(tx, userId, totpPending, step);
        await this.endOthers(tx, visitor, { action: 'totp.enabled' });
        return true;
      }),
    );
    if (!right) throw new DomainError('validation_error', { param: 'code', message: 'The code is wrong.' });
  }

  async disableTotp(visitor: SignedInVisitor, password: string): Promise<void> {
    await this.requirePassword(visitor, password, 'password');
    await this.database.asSystem(async (tx) => {
      await disableTotp(tx, visitor.session.userId);
      await recordEverywhere(tx, visitor.actor, { action: 'totp.disabled' }, this.clock.now());
    });
  }

  private async requirePassword({ session, client }: SignedInVisitor, password: string, param: string): Promise<void> {
    if (await this.signIn.checked(session.email, password, client)) return;
    throw new DomainError('validation_error', { param, message: 'The password is wrong.' });
  }

  private async endOthers(tx: EntityManager, { session, actor }: SignedInVisitor, deed: Deed): Promise<void> {
    await endOtherSessions(tx, session.userId, session.sessionId);
    await recordEverywhere(tx, actor, deed, this.clock.now());
  }
}
