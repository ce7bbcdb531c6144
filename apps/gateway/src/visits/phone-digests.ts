import { Database, sealedColumn } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { createHmac, randomBytes } from 'node:crypto';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';

export const DIGEST_KEY = sealedColumn({ table: 'digest_keys', column: 'key', key: ['purpose'], ofProject: false });

const OF_PHONES = 'visits.phone_digest';

/**
 * Digests by which a phone number is found. There are few numbers, so without a key a reader of the database could try all of them. The key
 * is random, sealed in the database and never replaced, so the digests stay valid when the sealing keys are replaced.
 */
@Injectable()
export class PhoneDigests {
  private readonly keys = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly database: Database,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'sealingKeys'>,
  ) {}

  /** The same number has another digest in another project. */
  async of(projectId: string, phone: string): Promise<Buffer> {
    return createHmac('sha256', await this.keyOf(OF_PHONES))
      .update(`${projectId} ${phone}`)
      .digest();
  }

  /** Of a phone number or an e-mail address that gets messages. */
  ofReceiver(projectId: string, receiver: string): Promise<Buffer> {
    return this.of(projectId, `reminder ${receiver}`);
  }

  /** The key of a purpose. */
  keyOf(purpose: string): Promise<Buffer> {
    const held = this.keys.get(purpose);
    if (held) return held;
    const loading = this.load(purpose).catch((error: unknown) => {
      this.keys.delete(purpose);
      throw error;
    });
    this.keys.set(purpose, loading);
    return loading;
  }

  /** Processes that begin at the same time agree on the key that came first. */
  private async load(purpose: string): Promise<Buffer> {
    const { sealingKeys } = this.settings;
    const rowOf = { projectId: null, id: purpose };
    const sealed = DIGEST_KEY.seal(sealingKeys, rowOf, randomBytes(32));
    await this.database.systemQuery('INSERT INTO digest_keys (purpose, key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING purpose', [
      purpose,
      sealed,
    ]);
    const [row] = await this.database.systemQuery<{ key: Buffer }>('SELECT key FROM digest_keys WHERE purpose = $1', [purpose]);
    return DIGEST_KEY.open(sealingKeys, rowOf, row!.key);
  }
}
