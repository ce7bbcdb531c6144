import { DomainError } from '@tire/kernel';
import { Database, logger, Repeating, type Tx } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { seal, sealedHead, unseal } from '../../domain/sealing';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';
import { replaceTotpSecret, totpSecretsOtherThan, type User } from '../accounts/users.store';

/** RFC 4226: as long as the digest. A stored value of exactly this length was stored before secrets were sealed. */
export const TOTP_SECRET_BYTES = 20;

const RESEAL_EVERY_MS = 10 * 60_000;
const AT_ONCE = 200;
/** Sorts before all users. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

const purposeOf = (userId: string): string => `totp ${userId}`;

/** Secrets of one-time codes are sealed in the database. An unsealed one, or one that is sealed with an older key, is sealed again. */
@Injectable()
export class TotpSecrets implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('console-totp');
  private readonly resealing = new Repeating(RESEAL_EVERY_MS, () => this.resealAll(), this.log);

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
    return seal(this.settings.sealingKeys, secret, purposeOf(userId));
  }

  /** While a key is replaced, another process may have a key that this one lacks. The user tries again; no data is lost. */
  open(userId: string, stored: Buffer): Buffer {
    const secret = this.openOrNull(userId, stored);
    if (!secret) throw new DomainError('service_unavailable', { message: 'One-time codes cannot be checked now.' });
    return secret;
  }

  /** Reseals the secret of a user who signs in, before the sweep does it. */
  async openOf(tx: Tx, { userId, totpSecret }: User): Promise<Buffer | null> {
    if (!totpSecret) return null;
    const secret = this.open(userId, totpSecret);
    if (!this.isNewest(totpSecret)) await replaceTotpSecret(tx, userId, totpSecret, this.seal(userId, secret));
    return secret;
  }

  /** Reseals the secrets of users who do not sign in, so that an old key can be removed. */
  async resealAll(): Promise<void> {
    let after: string | undefined;
    do after = await this.database.asSystem((tx) => this.resealSome(tx, after));
    while (after !== undefined);
  }

  /** A secret that cannot be opened does not stop the others. Returns the last user if there may be more. */
  private async resealSome(tx: Tx, after: string | undefined): Promise<string | undefined> {
    const found = await totpSecretsOtherThan(tx, sealedHead(this.settings.sealingKeys), after ?? NO_USER, AT_ONCE);
    for (const { userId, totpSecret } of found) {
      const secret = this.openOrNull(userId, totpSecret);
      if (secret) await replaceTotpSecret(tx, userId, totpSecret, this.seal(userId, secret));
    }
    return found.length === AT_ONCE ? found.at(-1)?.userId : undefined;
  }

  private openOrNull(userId: string, stored: Buffer): Buffer | null {
    try {
      return stored.length === TOTP_SECRET_BYTES ? stored : unseal(this.settings.sealingKeys, stored, purposeOf(userId));
    } catch (error) {
      this.log.warn({ err: error, user_id: userId }, 'The secret of one-time codes cannot be opened');
      return null;
    }
  }

  private isNewest(stored: Buffer): boolean {
    const head = sealedHead(this.settings.sealingKeys);
    return stored.length !== TOTP_SECRET_BYTES && stored.subarray(0, head.length).equals(head);
  }
}
