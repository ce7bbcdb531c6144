import type { RecoveryCodes, TotpSetup } from '@tire/contracts';
import { DomainError, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { acceptedStep, base32, otpauthUri } from '../domain/totp';
import { newRecoveryCodes } from '../domain/recovery-codes';
import { CLOCK } from '../tokens';
import { recordEverywhere, type Deed } from './audit.store';
import type { SignedInVisitor } from './door';
import { forgetRecoveryCodes, keepRecoveryCodes } from './recovery-codes.store';
import { endOtherSessions } from './sessions.store';
import { SignIn } from './sign-in.service';
import { SignInLimits } from './sign-in-limits';
import { TOTP_SECRET_BYTES, TotpSecrets } from './totp-secrets';
import { disableTotp, enableTotp, findUser, setPendingTotp } from './users.store';

const ISSUER = 'Tire inspection';

/** The second thing that is asked for when a user signs in, and what he keeps in a drawer for when he has lost it. */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly database: Database,
    private readonly signIn: SignIn,
    private readonly limits: SignInLimits,
    private readonly secrets: TotpSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async begin(visitor: SignedInVisitor, password: string): Promise<TotpSetup> {
    await this.signIn.requirePassword(visitor, password, 'password');
    const { userId } = visitor.session;
    const secret = randomBytes(TOTP_SECRET_BYTES);
    return this.database.asSystem(async (tx) => {
      const { email, totpSecret } = await findUser(tx, userId);
      if (totpSecret) throw new DomainError('conflict', { message: 'One-time codes are on already.' });
      await setPendingTotp(tx, userId, this.secrets.seal(userId, secret));
      return { secret: base32(secret), otpauth_uri: otpauthUri(secret, ISSUER, email) };
    });
  }

  async confirm(visitor: SignedInVisitor, code: string): Promise<RecoveryCodes> {
    const { userId } = visitor.session;
    const codes = await this.limits.attempt(
      `code ${userId}`,
      visitor.client.address,
      (made) => made !== null,
      () => this.database.asSystem((tx) => this.enable(tx, visitor, code)),
    );
    if (!codes) throw new DomainError('validation_error', { param: 'code', message: 'The code is wrong.' });
    return { codes };
  }

  /** New ones in the place of all that were there. */
  async renewRecoveryCodes(visitor: SignedInVisitor, password: string): Promise<RecoveryCodes> {
    await this.signIn.requirePassword(visitor, password, 'password');
    return this.database.asSystem(async (tx) => {
      const { totpSecret } = await findUser(tx, visitor.session.userId);
      if (!totpSecret) throw new DomainError('conflict', { message: 'One-time codes are off: there is nothing to recover from.' });
      const codes = await this.newCodes(tx, visitor);
      await this.record(tx, visitor, 'recovery_codes.renewed');
      return { codes };
    });
  }

  async disable(visitor: SignedInVisitor, password: string): Promise<void> {
    await this.signIn.requirePassword(visitor, password, 'password');
    await this.database.asSystem(async (tx) => {
      await disableTotp(tx, visitor.session.userId);
      await forgetRecoveryCodes(tx, visitor.session.userId);
      await this.record(tx, visitor, 'totp.disabled');
    });
  }

  private async enable(tx: EntityManager, visitor: SignedInVisitor, code: string): Promise<string[] | null> {
    const { userId, sessionId } = visitor.session;
    const { totpPending } = await findUser(tx, userId);
    if (!totpPending) throw notBegun();
    const step = acceptedStep(this.secrets.open(userId, totpPending), code, 0, this.clock.now());
    if (step === null) return null;
    if (!(await enableTotp(tx, userId, totpPending, step))) throw notBegun();
    await endOtherSessions(tx, userId, sessionId);
    await this.record(tx, visitor, 'totp.enabled');
    return this.newCodes(tx, visitor);
  }

  private async newCodes(tx: EntityManager, { session }: SignedInVisitor): Promise<string[]> {
    const codes = newRecoveryCodes();
    await keepRecoveryCodes(tx, session.userId, codes);
    return codes;
  }

  private record(tx: EntityManager, { actor }: SignedInVisitor, action: Deed['action']): Promise<void> {
    return recordEverywhere(tx, actor, { action }, this.clock.now());
  }
}

const notBegun = (): DomainError => new DomainError('conflict', { message: 'Begin with setting one-time codes up.' });
