import { DomainError } from '@tire/kernel';
import { Database, logger, periodicTask, resealAll, sealedColumn } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';

const RESEAL_EVERY_MS = 10 * 60_000;

const TOTP_SECRET = sealedColumn({ table: 'users', column: 'totp_secret', key: ['user_id'], ofProject: false });
/** The sealing place is the same, because the pending secret becomes the secret. */
const TOTP_PENDING = sealedColumn({ table: 'users', column: 'totp_pending', key: ['user_id'], place: TOTP_SECRET.place, ofProject: false });

const rowOf = (userId: string) => ({ projectId: null, id: userId });

/** Secrets of one-time codes are sealed in the database. One that is sealed with an older key is sealed again, so that the key can be removed. */
@Injectable()
export class TotpSecrets implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('console-totp');
  private readonly resealing = periodicTask(RESEAL_EVERY_MS, () => this.resealAll(), this.log);

  constructor(
    private readonly database: Database,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  onModuleInit(): void {
    this.resealing.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.resealing.stop();
  }

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

  async resealAll(): Promise<void> {
    const { output, code } = await resealAll(this.database, this.settings.sealingKeys, [TOTP_SECRET, TOTP_PENDING]);
    if (code !== 0) this.log.warn({ outcome: output }, 'Secrets of one-time codes are still sealed with another key');
  }
}
