import { cpuMsOf } from '@tire/test-harness';
import { queryDatabase } from '@tire/test-harness/bench';
import { connect } from 'nats';
import { DATABASE_OWNERS } from '../databases';
import type { Links } from '../links/links';
import type { StackFile } from '../stack-file';
import type { DatabaseUse, WalUse } from './measurement';

/** Counters that only rise, and sizes. A difference of two of them is what happened in between. */
export interface Counters {
  readonly cpuMs: Record<string, number>;
  readonly linkBytes: Record<string, number>;
  readonly s3Requests: Record<string, number>;
  readonly messages: Record<string, number>;
  readonly databases: Record<string, DatabaseUse>;
  readonly wal: WalUse;
}

const DATABASE = `
  SELECT xact_commit::float AS commits, d.inserted, d.updated, d.deleted, d.kept AS "rowsKept", d.bytes AS "bytesKept"
    FROM pg_stat_database,
         (SELECT sum(n_tup_ins)::float AS inserted, sum(n_tup_upd)::float AS updated, sum(n_tup_del)::float AS deleted,
                 sum(n_tup_ins - n_tup_del)::float AS kept, sum(pg_total_relation_size(relid))::float AS bytes FROM pg_stat_user_tables) d
   WHERE datname = current_database()`;

const WAL = `
  SELECT wal_records::float AS records, wal_bytes::float AS bytes, wal_fpi::float AS "pageImages",
         (SELECT sum(fsyncs)::float FROM pg_stat_io WHERE object = 'wal') AS fsyncs FROM pg_stat_wal`;

async function lastSequences(natsUrl: string): Promise<Record<string, number>> {
  const connection = await connect({ servers: natsUrl.replace(/\/\/.*@/, '//'), ...credentialsOf(natsUrl) });
  try {
    const streams = await (await connection.jetstreamManager()).streams.list().next();
    return Object.fromEntries(streams.map(({ config, state }) => [config.name, state.last_seq]));
  } finally {
    await connection.close();
  }
}

function credentialsOf(natsUrl: string): { user: string; pass: string } {
  const { username, password } = new URL(natsUrl);
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

/** Backends report what they did at most ten seconds after they have become idle. */
export const STATISTICS_DELAY_MS = 11_000;

export async function readCounters(stack: StackFile, links: Links): Promise<Counters> {
  const databases = DATABASE_OWNERS.map(async (name) => {
    const [row] = await queryDatabase<DatabaseUse>(stack, `tire_${name}`, DATABASE);
    return [name, row!] as const;
  });
  const linkBytes = links.names.map((name) => {
    const { requests, answers } = links.get(name).bytes;
    return [name, requests + answers] as const;
  });
  return {
    cpuMs: await cpuMsOf(stack.pids),
    linkBytes: Object.fromEntries(linkBytes),
    s3Requests: { ...links.get('objects').httpRequests },
    messages: await lastSequences(stack.nats_url),
    databases: Object.fromEntries(await Promise.all(databases)),
    wal: (await queryDatabase<WalUse>(stack, 'postgres', WAL))[0]!,
  };
}

type Tree = { readonly [name: string]: number | Tree };

function combined<T extends object>(one: T, other: T, of: (a: number, b: number) => number): T {
  const entries = Object.entries(one as Tree).map(([name, value]) => {
    const beside = (other as Tree)[name] ?? (typeof value === 'number' ? 0 : {});
    return [name, typeof value === 'number' ? of(value, beside as number) : combined(value, beside as Tree, of)];
  });
  return Object.fromEntries(entries) as T;
}

export interface Span {
  readonly before: Counters;
  readonly after: Counters;
  readonly seconds: number;
}

export const perSecond = ({ before, after, seconds }: Span): Counters => combined(after, before, (a, b) => (a - b) / seconds);

/** What one of so many pieces of work cost, without what happens at rest in the same time. */
export function costOfOne({ before, after, seconds }: Span, rest: Counters, count: number): Counters {
  const all = combined(after, before, (a, b) => a - b);
  return combined(all, rest, (cost, rate) => Math.max(0, cost - rate * seconds) / count);
}
