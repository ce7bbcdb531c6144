import type { SignInAnswer } from '@tire/contracts';
import { DomainError, type Clock } from '@tire/kernel';
import { Database, logger } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { acceptedStep } from '../domain/totp';
import { isPassword } from '../password';
import { CLOCK } from '../tokens';
import { recordDeed, recordEverywhere, type Deed } from './audit.store';
import type { Client } from './client';
import type { SignedInVisitor } from './door';
import { closeInvitation, lockInvitation, type InvitationRow } from './invitations.store';
import { useRecoveryCode } from './recovery-codes.store';
import { Sessions } from './sessions.service';
import { countFailedCode, endSession, type SessionRow } from './sessions.store';
import { SignInLimits } from './sign-in-limits';
import { TotpSecrets } from './totp-secrets';
import { addMember, findUser, findUserByEmail, useTotpStep, type User } from './users.store';

const CODES_MAX = 5;
/** The same for a wrong password and for an address that nobody has. */
const WRONG = 'E-mail or password is wrong.';
export const INVITATION_GONE = 'The invitation does not exist, was used or revoked, or is too old.';

export interface SignedIn {
  readonly answer: SignInAnswer;
  readonly token: string;
}

/** What begins beside the session: who was invited joins when he is in, and not before. */
interface Beginning {
  readonly with?: 'openid';
  readonly invitation?: InvitationRow;
}

type SecondMeans = 'code' | 'recovery_code';
type Judge = (tx: EntityManager, user: User) => Promise<boolean>;

@Injectable()
export class SignIn {
  private readonly log = logger('console-sign-in');

  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly limits: SignInLimits,
    private readonly secrets: TotpSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async withPassword(email: string, password: string, client: Client, replaced: string | null): Promise<SignedIn> {
    const user = await this.checked(email, password, client);
    if (!user) throw new DomainError('unauthorized', { message: WRONG });
    return this.database.asSystem(async (tx) => {
      // Signing in again in the same browser leaves no session behind that nobody holds the token of.
      const held = replaced === null ? null : await this.sessions.heldBy(replaced);
      if (held) await endSession(tx, held.userId, held.sessionId);
      return this.begin(tx, user, client);
    });
  }

  /** Null where address and password do not belong together. It takes the same time whether the address is known or not. */
  async checked(email: string, password: string, client: Client): Promise<User | null> {
    const user = await this.database.asSystem((tx) => findUserByEmail(tx, email));
    const right = await this.limits.attempt(email, client.address, Boolean, () => isPassword(password, user?.passwordHash ?? null));
    if (right) return user;
    // Written beside the answer and not before it: the time would tell that the address is known.
    if (user) void this.recordRefusal(user, client);
    return null;
  }

  async begin(tx: EntityManager, user: User, client: Client, { invitation, ...details }: Beginning = {}): Promise<SignedIn> {
    const { userId } = user;
    if (user.totpSecret !== null) {
      const waiting = { invitationId: invitation?.invitationId, firstWith: details.with };
      const { token } = await this.sessions.start(tx, { userId, stage: 'code', client, ...waiting });
      return { answer: { status: 'totp_required' }, token };
    }
    if (invitation && !(await this.join(tx, user, invitation, client, details)))
      throw new DomainError('not_found', { message: INVITATION_GONE });
    const { token } = await this.sessions.start(tx, { userId, stage: 'full', client });
    await this.record(tx, user, client, 'session.started', details);
    return { answer: { status: 'signed_in' }, token };
  }

  withCode(token: string | null, code: string, client: Client): Promise<SignedIn> {
    return this.secondStep(token, client, 'code', (tx, user) => this.isCode(tx, user, code));
  }

  /** For who lost what makes his codes. */
  withRecoveryCode(token: string | null, code: string, client: Client): Promise<SignedIn> {
    return this.secondStep(token, client, 'recovery_code', (tx, { userId }) => useRecoveryCode(tx, userId, code, this.clock.now()));
  }

  /** Whoever found an open screen is asked for the password before anything that lasts. */
  async requirePassword({ session, client }: SignedInVisitor, password: string, param: string): Promise<void> {
    if (await this.checked(session.email, password, client)) return;
    throw new DomainError('validation_error', { param, message: 'The password is wrong.' });
  }

  private async secondStep(token: string | null, client: Client, means: SecondMeans, isRight: Judge): Promise<SignedIn> {
    const found = token === null ? null : await this.sessions.find(token, client);
    if (found?.session.stage !== 'code') throw passwordFirst();
    const { session } = found;
    const signedIn = await this.limits.attempt(
      `code ${session.userId}`,
      client.address,
      (answer) => answer !== null,
      () => this.database.asSystem((tx) => this.judge(tx, session, client, means, isRight)),
    );
    if (!signedIn) throw new DomainError('unauthorized', { message: 'The code is wrong or was used before.' });
    return signedIn;
  }

  private async judge(
    tx: EntityManager,
    session: SessionRow,
    client: Client,
    means: SecondMeans,
    isRight: Judge,
  ): Promise<SignedIn | null> {
    const user = await findUser(tx, session.userId);
    if (!(await isRight(tx, user))) {
      if ((await countFailedCode(tx, session.sessionId)) >= CODES_MAX) await endSession(tx, user.userId, session.sessionId);
      await this.record(tx, user, client, 'session.refused', { reason: means });
      return null;
    }
    if (!(await endSession(tx, user.userId, session.sessionId))) throw passwordFirst();
    const invitation = session.invitationId && (await lockInvitation(tx, session.invitationId, this.clock.now()));
    const first = session.firstWith && { with: session.firstWith };
    if (invitation) await this.join(tx, user, invitation, client, first ?? {});
    const { token } = await this.sessions.start(tx, { userId: user.userId, stage: 'full', client });
    await this.record(tx, user, client, 'session.started', first ? { ...first, then: means } : { with: means });
    return { answer: { status: 'signed_in' }, token };
  }

  /** False where it was used or revoked in the meantime. */
  private async join(tx: EntityManager, user: User, invitation: InvitationRow, { address }: Client, details = {}): Promise<boolean> {
    const { organizationId, invitationId, role } = invitation;
    const { userId, email } = user;
    const now = this.clock.now();
    if ((await closeInvitation(tx, organizationId, invitationId, now)) === null) return false;
    await addMember(tx, organizationId, userId, role);
    const deed: Deed = { action: 'member.joined', subject: email, details: { role, ...details } };
    await recordDeed(tx, organizationId, { userId, email, address }, deed, now);
    return true;
  }

  private async isCode(tx: EntityManager, user: User, code: string): Promise<boolean> {
    const secret = await this.secrets.openOf(tx, user);
    const step = secret && acceptedStep(secret, code, user.totpLastStep, this.clock.now());
    return step !== null && useTotpStep(tx, user.userId, step);
  }

  private recordRefusal(user: User, client: Client): Promise<void> {
    return this.database
      .asSystem((tx) => this.record(tx, user, client, 'session.refused', { reason: 'password' }))
      .catch((error: unknown) => this.log.warn({ err: error }, 'A refused sign-in was not written down'));
  }

  private record(tx: EntityManager, { userId, email }: User, { address }: Client, action: Deed['action'], details = {}): Promise<void> {
    return recordEverywhere(tx, { userId, email, address }, { action, details }, this.clock.now());
  }
}

const passwordFirst = (): DomainError =>
  new DomainError('unauthorized', { param: 'session', message: 'Sign in with your password first.' });
