import { NewPassword } from '@tire/contracts/console';
import { CLOCK, DomainError, faulty, type Clock } from '@tire/kernel';
import { Database, logger, networkOf } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordInEveryOrganization } from '../../audit/audit.store';
import type { Client } from '../../edge/client';
import { deletePasskeys } from '../passkeys/passkeys.store';
import { newToken } from '../secrets';
import { takeAttempt } from '../sessions/attempts.store';
import { endOtherSessions } from '../sessions/sessions.store';
import { AccountMails } from './account-mails';
import { hashPassword } from './password';
import { findPasswordReset, issuePasswordReset, usePasswordReset } from './password-resets.store';
import { findUser, findUserByEmail, setPasswordHash } from './users.store';

const VALID_FOR_MS = 30 * 60_000;
/** Requests of one client address, and for one e-mail address whether it has an account or not. */
const PER_NETWORK = { burst: 10, perSecond: 10 / 3_600 };
const PER_EMAIL = { burst: 3, perSecond: 3 / 3_600 };
const GONE = 'The link does not exist, was used, or is too old.';

/**
 * A new password by a link that only the owner of the address gets. One-time codes stay on: the link replaces one factor, not both. Passkeys
 * go: another person may have added one, and it signs in without the password.
 */
@Injectable()
export class PasswordResetService {
  private readonly log = logger('password-reset');

  constructor(
    private readonly database: Database,
    private readonly mails: AccountMails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The answer is the same whether the address has an account, and comes before the look-up: its duration reveals nothing. If the process
   * dies meanwhile, the person gets no mail and requests another one.
   */
  async request(email: string, { address }: Client): Promise<void> {
    if (!this.mails.areSent) throw new DomainError('not_found', { message: 'This installation sends no mail.' });
    const now = this.clock.now();
    const isAllowed =
      (await takeAttempt(this.database, `${networkOf(address)} password reset`, PER_NETWORK, now)) &&
      (await takeAttempt(this.database, `password reset ${email}`, PER_EMAIL, now));
    if (!isAllowed) throw new DomainError('rate_limited', { message: 'Too many requests; try again in an hour.' });
    void this.issue(email).catch((error: unknown) => this.log.warn({ err: error }, 'A link to reset a password was not made'));
  }

  async reset(token: string, password: string, client: Client): Promise<void> {
    const { error } = NewPassword.safeParse(password);
    if (error) throw faulty('password', error.issues[0]!.message);
    const isOpen = await this.database.asSystem((tx) => findPasswordReset(tx, token, this.clock.now()));
    if (!isOpen) throw new DomainError('not_found', { message: GONE });
    const passwordHash = await hashPassword(password);
    await this.database.asSystem(async (tx) => {
      const userId = await usePasswordReset(tx, token, this.clock.now());
      if (userId === null) throw new DomainError('not_found', { message: GONE });
      const { email } = await findUser(tx, userId);
      await setPasswordHash(tx, userId, passwordHash);
      // First the passkeys: a sign-in that uses one has then ended, and its session ends too.
      await deletePasskeys(tx, userId);
      await endOtherSessions(tx, userId, null);
      const actor = { userId, email, address: client.address };
      await recordInEveryOrganization(tx, actor, { action: 'password.reset' }, this.clock.now());
      await this.mails.alert(tx, { userId, email }, 'password_reset', client);
    });
  }

  /** An account without a password signs in at its provider, which decides who may: a link here must not go around it. */
  private async issue(email: string): Promise<void> {
    await this.database.asSystem(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (!user?.passwordHash) return;
      const [token, expiresAt] = [newToken(), new Date(this.clock.now().getTime() + VALID_FOR_MS)];
      await issuePasswordReset(tx, user.userId, token, expiresAt);
      await this.mails.resetPassword(tx, user, token, expiresAt);
    });
  }
}
