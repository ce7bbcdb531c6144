import type { RecoveryCodes, TotpSetup } from '@tire/contracts/console';
import { CLOCK, DomainError, faulty, type Clock } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { acceptedStep, base32, otpauthUri } from '../../domain/totp';
import { newRecoveryCodes } from '../../domain/recovery-codes';
import { recordInEveryOrganization, type AuditedChange } from '../../audit/audit.store';
import type { SessionCaller } from '../../edge/callers';
import { AccountMails } from '../accounts/account-mails';
import { deleteRecoveryCodes, storeRecoveryCodes } from './recovery-codes.store';
import { endOtherSessions } from '../sessions/sessions.store';
import { codesOf, SignInService } from '../sessions/sign-in.service';
import { SignInLimits } from '../sessions/sign-in-limits';
import { TotpSecrets } from './totp-secrets';
import { disableTotp, enableTotp, findUser, setPendingTotp } from '../accounts/users.store';

/** RFC 4226: as long as the digest. */
const TOTP_SECRET_BYTES = 20;
const ISSUER = 'Tire inspection';

/** The second factor of a sign-in, and the recovery codes for users who lost it. */
@Injectable()
export class OneTimeCodesService {
  constructor(
    private readonly database: Database,
    private readonly signIn: SignInService,
    private readonly limits: SignInLimits,
    private readonly secrets: TotpSecrets,
    private readonly mails: AccountMails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async begin(caller: SessionCaller, password: string): Promise<TotpSetup> {
    await this.signIn.requirePassword(caller, password, 'password');
    const { userId } = caller.session;
    const secret = randomBytes(TOTP_SECRET_BYTES);
    return this.database.asSystem(async (tx) => {
      const { email, totpSecret } = await findUser(tx, userId);
      if (totpSecret) throw new DomainError('conflict', { message: 'One-time codes are on already.' });
      await setPendingTotp(tx, userId, this.secrets.seal(userId, secret));
      return { secret: base32(secret), otpauth_uri: otpauthUri(secret, ISSUER, email) };
    });
  }

  async confirm(caller: SessionCaller, code: string): Promise<RecoveryCodes> {
    const { userId } = caller.session;
    const codes = await this.limits.attempt(
      codesOf(userId),
      caller.client.address,
      (made) => made !== null,
      () => this.database.asSystem((tx) => this.enable(tx, caller, code)),
    );
    if (!codes) throw faulty('code', 'The code is wrong.');
    return { codes };
  }

  /** Replaces all codes. */
  async renewRecoveryCodes(caller: SessionCaller, password: string): Promise<RecoveryCodes> {
    await this.signIn.requirePassword(caller, password, 'password');
    return this.database.asSystem(async (tx) => {
      const { totpSecret } = await findUser(tx, caller.session.userId);
      if (!totpSecret) throw new DomainError('conflict', { message: 'One-time codes are off: there is nothing to recover from.' });
      const codes = await this.newCodes(tx, caller);
      await this.record(tx, caller, 'recovery_codes.renewed');
      await this.mails.alert(tx, caller.actor, 'recovery_codes_renewed', caller.client);
      return { codes };
    });
  }

  async disable(caller: SessionCaller, password: string): Promise<void> {
    await this.signIn.requirePassword(caller, password, 'password');
    await this.database.asSystem(async (tx) => {
      await disableTotp(tx, caller.session.userId);
      await deleteRecoveryCodes(tx, caller.session.userId);
      await this.record(tx, caller, 'totp.disabled');
      await this.mails.alert(tx, caller.actor, 'totp_disabled', caller.client);
    });
  }

  private async enable(tx: Tx, caller: SessionCaller, code: string): Promise<string[] | null> {
    const { userId, sessionId } = caller.session;
    const { totpPending } = await findUser(tx, userId);
    if (!totpPending) throw notBegun();
    const step = acceptedStep(this.secrets.open(userId, totpPending), code, 0, this.clock.now());
    if (step === null) return null;
    if (!(await enableTotp(tx, userId, totpPending, step))) throw notBegun();
    await endOtherSessions(tx, userId, sessionId);
    await this.record(tx, caller, 'totp.enabled');
    await this.mails.alert(tx, caller.actor, 'totp_enabled', caller.client);
    return this.newCodes(tx, caller);
  }

  private async newCodes(tx: Tx, { session }: SessionCaller): Promise<string[]> {
    const codes = newRecoveryCodes();
    await storeRecoveryCodes(tx, session.userId, codes);
    return codes;
  }

  private record(tx: Tx, { actor }: SessionCaller, action: AuditedChange['action']): Promise<void> {
    return recordInEveryOrganization(tx, actor, { action }, this.clock.now());
  }
}

const notBegun = (): DomainError => new DomainError('conflict', { message: 'Begin with setting one-time codes up.' });
