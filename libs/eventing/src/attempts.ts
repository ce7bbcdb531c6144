import { Injectable } from '@nestjs/common';
import type { KV, NatsConnection } from 'nats';
import { Broker, BrokerUnavailable } from './broker';

const BUCKET = 'tire_attempts';
/** Longer than any message waits between two deliveries, and than a request of the ledger waits until it is repeated. */
const KEPT_MS = 6 * 3_600_000;

/**
 * Counts how often a piece of work was begun. The count is written before the work begins, so it survives the end of the process. The
 * broker's count of deliveries does not serve: messages that are handed back unharmed increase it, and a repeated request begins anew.
 */
@Injectable()
export class Attempts {
  private bucket: { readonly connection: NatsConnection; readonly kv: Promise<KV> } | undefined;

  constructor(private readonly broker: Broker) {}

  /** The number of this attempt: 1 for the first. Throws BrokerUnavailable without a connection. */
  begin(key: string): Promise<number> {
    return this.inBucket(async (kv) => {
      const entry = await kv.get(key);
      const attempt = Number(entry?.operation === 'PUT' ? entry.string() : 0) + 1;
      await kv.put(key, String(attempt));
      return attempt;
    });
  }

  /** The attempt ended through no fault of the work, for example because the process stops. */
  undo(key: string, attempt: number): Promise<void> {
    return this.inBucket(async (kv) => {
      if (attempt > 1) await kv.put(key, String(attempt - 1));
      else await kv.purge(key);
    });
  }

  /** The work is done. A count that stays is removed after hours. */
  end(key: string): Promise<void> {
    return this.inBucket((kv) => kv.purge(key));
  }

  private async inBucket<T>(use: (kv: KV) => Promise<T>): Promise<T> {
    const { connection } = this.broker;
    if (!connection) throw new BrokerUnavailable('NATS is not connected');
    if (this.bucket?.connection !== connection)
      this.bucket = { connection, kv: connection.jetstream().views.kv(BUCKET, { ttl: KEPT_MS, history: 1 }) };
    try {
      return await use(await this.bucket.kv);
    } catch (error) {
      // The bucket may have been deleted: the next attempt creates it again.
      this.bucket = undefined;
      throw error;
    }
  }
}
