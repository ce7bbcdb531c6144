import { Injectable } from '@nestjs/common';
import { STREAMS } from '@tire/contracts/events';
import type { KV, NatsConnection } from 'nats';
import { Broker, BrokerUnavailable } from './broker';

const STREAM = 'KV_tire_attempts';

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
    await this.broker.ensure(connection, STREAM);
    if (this.bucket?.connection !== connection)
      this.bucket = { connection, kv: connection.jetstream().views.kv(STREAMS[STREAM].bucket, { bindOnly: true }) };
    try {
      return await use(await this.bucket.kv);
    } catch (error) {
      // The bucket may have been deleted: it is looked up again by the next attempt.
      this.bucket = undefined;
      this.broker.forget(STREAM);
      throw error;
    }
  }
}
