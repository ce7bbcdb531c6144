import { DomainError } from '@tire/kernel';
import { logger, sealedColumn } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';

export const TOTP_SECRET = sealedColumn({ table: 'users', column: 'totp_secret', key: ['user_id'], ofProject: false });
/** The sealing place is the same, because the pending secret becomes the secret. */
export const TOTP_PENDING = sealedColumn({
  table: 'users',
  column: 'totp_pending',
  key: ['user_id'],
  place: TOTP_SECRET.place,
  ofProject: false,
});

const rowOf = (userId: string) => ({ projectId: null, id: userId });

/** Secrets of one-time codes are sealed in the database. */
@Injectable()
export class TotpSecrets {
  private readonly log = logger('console-totp');

  constructor(@Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings) {}

  seal(userId: string, secret: Buffer): Buffer {
    return TOTP_SECRET.seal(this.settings.sealingKeys, rowOf(userId), secret);
  }

  /** While a key is replaced, another process may have a key that is missing here. The user tries again; no data is lost. */
  open(userId: string, stored: Buffer): Buffer {
    try {
      return TOTP_SECRET.open(this.settings.sealingKeys, rowOf(userId), stored);
    } catch (error) {
      this.log.warn({ err: error, user_id: userId }, 'The secret of one-time codes cannot be opened');
      throw new DomainError('service_unavailable', { message: 'One-time codes cannot be checked now.' });
    }
  }
}
