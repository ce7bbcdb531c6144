import type { SignInAnswer } from '@tire/contracts/console';
import { CLOCK, DomainError, faulty, type Clock } from '@tire/kernel';
import { Database, logger, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { acceptedStep } from '../../domain/totp';
import { isPassword } from '../accounts/password';
import { recordChange, recordInEveryOrganization, type AuditedChange } from '../../audit/audit.store';
import type { Client } from '../../edge/client';
import type { SessionCaller } from '../../edge/callers';
import { closeInvitation, lockInvitation, type InvitationRow } from '../invitations/invitations.store';
import { useRecoveryCode } from '../one-time-codes/recovery-codes.store';
import { KnownBrowsers } from './known-browsers';
import { PasskeyVerifier, type PasskeyAnswer } from '../passkeys/passkey-verifier';
import { SessionsService } from './sessions.service';
import { countFailedCode, endSession, type SessionRow } from './sessions.store';
import { SignInLimits } from './sign-in-limits';
import { TotpSecrets } from '../one-time-codes/totp-secrets';
import { addMember, findUser, findUserByEmail, useTotpStep, type User } from '../accounts/users.store';

const CODES_MAX = 5;
/** The same for a wrong password and for an unknown address. */
const WRONG_CREDENTIALS = 'E-mail or password is wrong.';
export const INVITATION_GONE = 'The invitation does not exist, was used or revoked, or is too old.';

export interface SignedIn {
  readonly response: SignInAnswer;
  readonly token: string;
  /** For the cookie by which the browser is known. */
  readonly browserToken?: string;
}

/** An invited user joins the organization when the sign-in is complete, not before. */
interface SignInContext {
  readonly with?: 'openid';
  readonly invitation?: InvitationRow;
  /** The account was made a moment ago. */
  readonly isNewAccount?: boolean;
}

type SecondFactor = 'code' | 'recovery_code' | 'passkey';
type Check = (tx: Tx, user: User, session: SessionRow) => Promise<boolean>;

@Injectable()
export class SignInService {
  private readonly log = logger('console-sign-in');

  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly limits: SignInLimits,
    private readonly secrets: TotpSecrets,
    private readonly browsers: KnownBrowsers,
    private readonly passkeys: PasskeyVerifier,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async withPassword(email: string, password: string, client: Client, replaced: string | null): Promise<SignedIn> {
    const user = await this.checked(email, password, client);
    if (!user) throw new DomainError('unauthorized', { message: WRONG_CREDENTIALS });
    // Outside the transaction: a request that holds one connection and waits for another can exhaust the pool.
    const previous = replaced === null ? null : await this.sessions.findByToken(replaced);
    return this.database.asSystem(async (tx) => {
      // The browser replaces the token of its previous session, so that session ends.
      if (previous) await endSession(tx, previous.userId, previous.sessionId);
      return this.begin(tx, user, client);
    });
  }

  /** Null if the address or the password is wrong. It takes the same time for known and unknown addresses. */
  async checked(email: string, password: string, client: Client): Promise<User | null> {
    const user = await this.database.asSystem((tx) => findUserByEmail(tx, email));
    const right = await this.limits.attempt(email, client.address, Boolean, () => isPassword(password, user?.passwordHash ?? null));
    if (right) return user;
    // The call is not awaited, because its duration would reveal that the address is known.
    if (user) void this.recordRefusal(user, client);
    return null;
  }

  async begin(tx: Tx, user: User, client: Client, { invitation, isNewAccount = false, ...details }: SignInContext = {}): Promise<SignedIn> {
    const { userId } = user;
    if (user.totpSecret !== null) {
      const waiting = { invitationId: invitation?.invitationId, firstWith: details.with };
      const { token } = await this.sessions.start(tx, { userId, stage: 'code', client, ...waiting });
      return { response: { status: 'totp_required' }, token };
    }
    if (invitation && !(await this.join(tx, user, invitation, client, details)))
      throw new DomainError('not_found', { message: INVITATION_GONE });
    return this.complete(tx, user, client, details, isNewAccount);
  }

  withCode(token: string | null, code: string, client: Client): Promise<SignedIn> {
    return this.secondStep(token, client, 'code', (tx, user) => this.isCode(tx, user, code));
  }

  /** Signs in users who lost the device that generates their codes. */
  withRecoveryCode(token: string | null, code: string, client: Client): Promise<SignedIn> {
    return this.secondStep(token, client, 'recovery_code', (tx, { userId }) => useRecoveryCode(tx, userId, code, this.clock.now()));
  }

  /** A challenge in place of the password, or of the one-time code of a sign-in that has begun. */
  async passkeyOptions(isSecond: boolean, token: string | null, client: Client): ReturnType<PasskeyVerifier['options']> {
    if (!isSecond) return this.passkeys.options(client, null);
    const found = token === null ? null : await this.sessions.find(token, client);
    if (found?.session.stage !== 'code') throw passwordFirst();
    return this.passkeys.options(client, found.session);
  }

  /** A passkey that verified its holder is two factors. One that did not may only follow the password. */
  async withPasskey(token: string | null, answer: PasskeyAnswer, client: Client): Promise<SignedIn> {
    const taken = await this.passkeys.take(answer, ['sign_in', 'second_factor']);
    if (taken?.purpose === 'second_factor') {
      return this.secondStep(token, client, 'passkey', async (tx, _, { sessionId }) => {
        return taken.sessionId === sessionId && (await this.passkeys.verify(tx, answer, taken)).isRight;
      });
    }
    const previous = token === null ? null : await this.sessions.findByToken(token);
    const signedIn = await this.limits.attempt(
      null,
      client.address,
      (result) => result !== null,
      () =>
        this.database.asSystem(async (tx) => {
          const { userId, isRight } = taken ? await this.passkeys.verify(tx, answer, taken) : { userId: null, isRight: false };
          if (userId === null) return null;
          const user = await findUser(tx, userId);
          if (isRight) {
            if (previous) await endSession(tx, previous.userId, previous.sessionId);
            return this.complete(tx, user, client, { with: 'passkey' });
          }
          await this.record(tx, user, client, 'session.refused', { reason: 'passkey' });
          return null;
        }),
    );
    if (!signedIn) throw new DomainError('unauthorized', { message: 'The passkey is not known here, or its answer is too old.' });
    return signedIn;
  }

  /** Lasting changes need the password again, in case another person uses an unlocked screen. */
  async requirePassword({ session, client }: SessionCaller, password: string, param: string): Promise<void> {
    if (await this.checked(session.email, password, client)) return;
    throw faulty(param, 'The password is wrong.');
  }

  private async secondStep(token: string | null, client: Client, factor: SecondFactor, isRight: Check): Promise<SignedIn> {
    const found = token === null ? null : await this.sessions.find(token, client);
    if (found?.session.stage !== 'code') throw passwordFirst();
    const { session } = found;
    const signedIn = await this.limits.attempt(
      codesOf(session.userId),
      client.address,
      (result) => result !== null,
      () => this.database.asSystem((tx) => this.verify(tx, session, client, factor, isRight)),
    );
    if (!signedIn) throw new DomainError('unauthorized', { message: 'The code is wrong or was used before.' });
    return signedIn;
  }

  private async verify(tx: Tx, session: SessionRow, client: Client, factor: SecondFactor, isRight: Check): Promise<SignedIn | null> {
    const user = await findUser(tx, session.userId);
    if (!(await isRight(tx, user, session))) {
      if ((await countFailedCode(tx, session.sessionId)) >= CODES_MAX) await endSession(tx, user.userId, session.sessionId);
      await this.record(tx, user, client, 'session.refused', { reason: factor });
      return null;
    }
    if (!(await endSession(tx, user.userId, session.sessionId))) throw passwordFirst();
    const invitation = session.invitationId && (await lockInvitation(tx, session.invitationId, this.clock.now()));
    const first = session.firstWith && { with: session.firstWith };
    if (invitation) await this.join(tx, user, invitation, client, first ?? {});
    return this.complete(tx, user, client, first ? { ...first, then: factor } : { with: factor });
  }

  private async complete(tx: Tx, user: User, client: Client, details: AuditedChange['details'], isNewAccount = false): Promise<SignedIn> {
    const { userId, email, totpSecret } = user;
    const { token } = await this.sessions.start(tx, { userId, stage: 'full', client });
    await this.record(tx, user, client, 'session.started', details);
    await this.limits.rememberNetwork(tx, totpSecret === null ? [email] : [email, codesOf(userId)], client.address);
    const browserToken = await this.browsers.signedIn(tx, user, client, isNewAccount);
    return { response: { status: 'signed_in' }, token, browserToken };
  }

  /** False if the invitation was used or revoked in the meantime. */
  private async join(tx: Tx, user: User, invitation: InvitationRow, { address }: Client, details = {}): Promise<boolean> {
    const { organizationId, invitationId, role } = invitation;
    const { userId, email } = user;
    const now = this.clock.now();
    if ((await closeInvitation(tx, organizationId, invitationId, now)) === null) return false;
    await addMember(tx, organizationId, userId, role);
    const change: AuditedChange = { action: 'member.joined', subject: email, details: { role, ...details } };
    await recordChange(tx, organizationId, { userId, email, address }, change, now);
    return true;
  }

  private async isCode(tx: Tx, user: User, code: string): Promise<boolean> {
    const step =
      user.totpSecret && acceptedStep(this.secrets.open(user.userId, user.totpSecret), code, user.totpLastStep, this.clock.now());
    return step !== null && useTotpStep(tx, user.userId, step);
  }

  private recordRefusal(user: User, client: Client): Promise<void> {
    return this.database
      .asSystem((tx) => this.record(tx, user, client, 'session.refused', { reason: 'password' }))
      .catch((error: unknown) => this.log.warn({ err: error }, 'A refused sign-in was not recorded in the audit log'));
  }

  private record(tx: Tx, { userId, email }: User, { address }: Client, action: AuditedChange['action'], details = {}): Promise<void> {
    return recordInEveryOrganization(tx, { userId, email, address }, { action, details }, this.clock.now());
  }
}

/** One-time codes have limits of their own. */
export const codesOf = (userId: string): string => `code ${userId}`;

const passwordFirst = (): DomainError =>
  new DomainError('unauthorized', { param: 'session', message: 'Sign in with your password first.' });
