import { Database, sealedColumn } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { createHmac, randomBytes } from 'node:crypto';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';

export const DIGEST_KEY = sealedColumn({ table: 'digest_keys', column: 'key', key: ['purpose'], ofProject: false });

const PURPOSE = 'visits.phone_digest';
const ROW = { projectId: null, id: PURPOSE };

/**
 * Digests by which a phone number is found. There are few numbers, so without a key a reader of the database could try all of them. The key
 * is random, sealed in the database and never replaced, so the digests stay valid when the sealing keys are replaced.
 */
@Injectable()
export class PhoneDigests {
  private key: Promise<Buffer> | undefined;

  constructor(
    private readonly database: Database,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  /** The same number has another digest in another project. */
  async of(projectId: string, phone: string): Promise<Buffer> {
    this.key ??= this.load().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return createHmac('sha256', await this.key)
      .update(`${projectId} ${phone}`)
      .digest();
  }

  /** Of a phone number or an e-mail address that gets messages. */
  ofReceiver(projectId: string, receiver: string): Promise<Buffer> {
    return this.of(projectId, `reminder ${receiver}`);
  }

  /** Processes that begin at the same time agree on the key that came first. */
  private async load(): Promise<Buffer> {
    const { sealingKeys } = this.settings;
    const sealed = DIGEST_KEY.seal(sealingKeys, ROW, randomBytes(32));
    await this.database.systemQuery('INSERT INTO digest_keys (purpose, key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING purpose', [
      PURPOSE,
      sealed,
    ]);
    const [row] = await this.database.systemQuery<{ key: Buffer }>('SELECT key FROM digest_keys WHERE purpose = $1', [PURPOSE]);
    return DIGEST_KEY.open(sealingKeys, ROW, row!.key);
  }
}
