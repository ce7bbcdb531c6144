import { Injectable, Optional } from '@nestjs/common';
import { STREAMS } from '@tire/contracts/events';
import { logger } from '@tire/platform';
import { NatsError, type KV, type KvEntry, type NatsConnection } from 'nats';
import { randomUUID } from 'node:crypto';
import { Broker, BrokerUnavailable } from './broker';
import { NotNow } from './delivery';
import { throttle } from './pause';

const STREAM = 'KV_tire_attempts';
const WRONG_LAST_SEQUENCE = 10_071;
/** Another place works on it, or worked on it until its process ended. */
const TRY_AGAIN_MS = 10_000;
/** While the broker is unavailable, the end of an attempt is written again after this time. */
const WRITE_AGAIN_MS = 1_000;

/** The entry of a piece of work. */
interface Count {
  /** Attempts that broke, half of those that others ended, and the one that runs. */
  readonly number: number;
  /** The attempt that runs. */
  readonly runs?: string;
}

interface Begun {
  readonly number: number;
  readonly revision: number;
}

/** killed: others ended the process. They may have done so because of the work, for example a kernel that was short of memory. */
export type AttemptEnd = 'broke' | 'killed' | 'unharmed';

const COUNTS: Readonly<Record<AttemptEnd, number>> = { broke: 1, killed: 0.5, unharmed: 0 };

class AttemptTimes {
  /** A running attempt renews its entry this often. */
  readonly renewMs: number = 10_000;
  /** A running attempt that is silent for longer ended with its process. */
  readonly silentMs: number = 60_000;
}

/**
 * Counts how often a piece of work was begun. The count is written before the work begins, so it survives the end of the process. The
 * broker's count of deliveries does not serve: messages that are handed back unharmed increase it, and a repeated request begins anew.
 */
@Injectable()
export class Attempts {
  private readonly log = logger('attempts');
  private readonly seldom = throttle();
  private bucket: { readonly connection: NatsConnection; readonly kv: Promise<KV> } | undefined;

  constructor(
    private readonly broker: Broker,
    @Optional() private readonly times: AttemptTimes = new AttemptTimes(),
  ) {}

  /**
   * Throws NotNow while another attempt runs, which does not count: the same work may be requested twice. Throws BrokerUnavailable without
   * a connection.
   */
  async begin(key: string): Promise<Attempt> {
    const runs = randomUUID();
    const begun = await this.inBucket(async (kv) => {
      // Nearly all work is new: its entry is written without a look for an earlier one.
      const created = await this.beginAfter(kv, undefined, key, runs);
      if (created) return created;
      const entry = await kv.get(key);
      if (countIn(entry).runs && Date.now() - entry!.created.getTime() < this.times.silentMs) return undefined;
      return this.beginAfter(kv, entry ?? undefined, key, runs);
    });
    if (begun === undefined) throw new NotNow(TRY_AGAIN_MS);
    const { number, revision } = begun;
    return new Attempt(number, this.times.renewMs, {
      renew: () => this.rewrite(key, runs, { number, runs }).catch((error: unknown) => this.warn(error, key)),
      end: (counts) => this.writeEnd(key, runs, { number: number - 1 + counts }, revision),
    });
  }

  /** Undefined where there is another entry than this one. */
  private async beginAfter(kv: KV, entry: KvEntry | undefined, key: string, runs: string): Promise<Begun | undefined> {
    const before = countIn(entry).number;
    try {
      const revision = await replace(kv, entry?.revision ?? 0, key, { number: before + 1, runs });
      return revision === undefined ? undefined : { number: before + 1, revision };
    } catch (error) {
      // The broker may store it although no answer came, for example when it continues after a pause.
      this.writeLater(key, runs, { number: before });
      throw error;
    }
  }

  /** An entry without its end would delay the next attempt until it is silent, and this attempt would count as one that broke. */
  private async writeEnd(key: string, runs: string, count: Count, revision: number): Promise<void> {
    await this.rewrite(key, runs, count, revision).catch((error: unknown) => {
      this.warn(error, key);
      this.writeLater(key, runs, count);
    });
  }

  private writeLater(key: string, runs: string, count: Count): void {
    const write = () =>
      this.rewrite(key, runs, count).catch((error: unknown) => {
        this.seldom(() => this.warn(error, key));
        this.writeLater(key, runs, count);
      });
    setTimeout(() => void write(), WRITE_AGAIN_MS).unref();
  }

  private warn(error: unknown, key: string): void {
    this.log.warn({ err: error, key }, 'An attempt is not written');
  }

  /**
   * Does nothing after another attempt has begun, because this one was silent. `begun` is the revision with which this attempt began: while
   * the entry has it, nothing else was written, and the entry need not be read.
   */
  private async rewrite(key: string, runs: string, count: Count, begun?: number): Promise<void> {
    const isDone = await this.inBucket(async (kv) => {
      if (begun !== undefined && (await replace(kv, begun, key, count)) !== undefined) return true;
      const entry = await kv.get(key);
      return countIn(entry).runs !== runs || (await replace(kv, entry?.revision ?? 0, key, count)) !== undefined;
    });
    if (!isDone) throw new Error('the entry has changed meanwhile, perhaps by a renewal of this attempt that arrived late');
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

interface AttemptEntry {
  renew(): Promise<void>;
  /** `counts` is what this attempt adds to the number of the next one. */
  end(counts: number): Promise<void>;
}

/** One attempt, which renews its entry until it ends. */
class Attempt {
  private readonly timer: NodeJS.Timeout;
  private renewal: Promise<void> = Promise.resolve();

  constructor(
    /** 1 for the first. Each one that broke adds 1, and each one that others ended adds a half. */
    readonly number: number,
    renewMs: number,
    private readonly entry: AttemptEntry,
  ) {
    this.timer = setInterval(() => (this.renewal = this.renewal.then(() => entry.renew())), renewMs).unref();
  }

  /** Without a connection `end` returns all the same, and the end is written later. */
  async end(how: AttemptEnd): Promise<void> {
    clearInterval(this.timer);
    await this.renewal;
    await this.entry.end(COUNTS[how]);
  }
}

const countIn = (entry: KvEntry | null | undefined): Count => (entry?.operation === 'PUT' ? entry.json<Count>() : { number: 0 });

/** Returns the new revision of the entry, or undefined where another process has written meanwhile. Revision 0 is that of no entry. */
async function replace(kv: KV, revision: number, key: string, count: Count): Promise<number | undefined> {
  try {
    return await kv.put(key, JSON.stringify(count), { previousSeq: revision });
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.err_code === WRONG_LAST_SEQUENCE) return undefined;
    throw error;
  }
}
