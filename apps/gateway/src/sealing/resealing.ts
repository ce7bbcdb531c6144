import { Database, logger, periodicTask, resealAll } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { BUCKET_SECRET } from '../exports/export-schedules.store';
import { TOTP_PENDING, TOTP_SECRET } from '../identity/one-time-codes/totp-secrets';
import { ERASURE_SUBJECT } from '../erasures/erasures.store';
import { MESSAGE_CONTENT, MESSAGE_RECEIVER } from '../messages/messages.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { DIGEST_KEY } from '../visits/phone-digests';
import { VISIT_DETAILS } from '../visits/visits.store';

const RESEAL_EVERY_MS = 10 * 60_000;

const SEALED_COLUMNS = [
  TOTP_SECRET,
  TOTP_PENDING,
  MESSAGE_RECEIVER,
  MESSAGE_CONTENT,
  VISIT_DETAILS,
  DIGEST_KEY,
  ERASURE_SUBJECT,
  BUCKET_SECRET,
];

/** Seals again what an older key sealed, so that the key can be removed. */
@Injectable()
export class Resealing implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('console-resealing');
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

  async resealAll(): Promise<void> {
    const { output, code } = await resealAll(this.database, this.settings.sealingKeys, SEALED_COLUMNS);
    if (code !== 0) this.log.warn({ outcome: output }, 'Some values are still sealed with another key');
  }
}
