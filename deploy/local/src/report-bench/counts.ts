import { queryDatabase } from '@tire/test-harness/bench';
import { setTimeout as pause } from 'node:timers/promises';
import { type Counters, costOfOne, perSecond, readCounters, type Span, STATISTICS_DELAY_MS } from '../capacity/counters';
import { step } from '../progress';
import { SERVICES } from '../topology';
import type { Intake } from '../whole-report';
import { send } from './load';
import { readMetrics, seriesOf } from './metrics';
import { sums } from './profile';
import { warmUp } from './rounds';
import { startWorld, type World } from './world';

const COUNTED = { count: 10, perSecond: 1 };
const MS = 1_000;

export interface Statement {
  readonly database: string;
  readonly text: string;
  readonly calls: number;
  readonly ms: number;
}

/** Of one report. */
export interface Counted {
  readonly counters: Counters;
  /** Calls by method, as their server counts them. */
  readonly grpc: Readonly<Record<string, number>>;
  /** Most calls first. */
  readonly statements: readonly Statement[];
}

export type CountedForms = Readonly<Record<Intake, Counted>>;

const STATEMENTS = `
  SELECT datname AS database, queryid::text || ' ' || datname AS key, regexp_replace(query, '\\s+', ' ', 'g') AS text,
         sum(calls)::float AS calls, sum(total_exec_time)::float AS ms
    FROM pg_stat_statements JOIN pg_database ON oid = dbid
   WHERE datname LIKE 'tire%' GROUP BY 1, 2, 3`;

type StatementRow = Statement & { readonly key: string };

async function readGrpc(world: World): Promise<Record<string, number>> {
  const texts = await Promise.all(SERVICES.map((service) => readMetrics(world, service)));
  const series = texts.flatMap((text) => seriesOf(text, 'tire_grpc_server_seconds_count'));
  return Object.fromEntries(
    sums(
      series,
      ({ labels }) => labels['rpc_method'] ?? '',
      ({ value }) => value,
    ),
  );
}

interface Reading extends Span {
  readonly grpc: Record<string, number>;
  readonly statements: readonly StatementRow[];
}

async function readingOf(world: World, work: () => Promise<unknown>): Promise<Reading> {
  const [grpcBefore, before] = [await readGrpc(world), await readCounters(world.stack, world.links)];
  await queryDatabase(world.stack, 'postgres', 'SELECT pg_stat_statements_reset()');
  const beganMs = performance.now();
  await work();
  const statements = await queryDatabase<StatementRow>(world.stack, 'postgres', STATEMENTS);
  const grpcAfter = await readGrpc(world);
  // The counters of Postgres are late, and the stack rests meanwhile.
  await pause(STATISTICS_DELAY_MS);
  const seconds = (performance.now() - beganMs) / MS;
  const grpc = Object.fromEntries(Object.entries(grpcAfter).map(([method, count]) => [method, count - (grpcBefore[method] ?? 0)]));
  return { before, after: await readCounters(world.stack, world.links), seconds, grpc, statements };
}

/** What one report takes, without what the stack does at rest in the same time. */
function countedOf(reading: Reading, rest: Reading): Counted {
  // Statements and calls are read before the counters of Postgres arrive.
  const [workSeconds, restSeconds] = [reading, rest].map(({ seconds }) => seconds - STATISTICS_DELAY_MS / MS) as [number, number];
  const less = (value: number, atRest: number) => Math.max(0, value - (atRest * workSeconds) / restSeconds) / COUNTED.count;
  const resting = new Map(rest.statements.map((statement) => [statement.key, statement]));
  const statements = reading.statements.map(({ key, database, text, calls, ms }) => {
    const atRest = resting.get(key);
    return { database, text, calls: less(calls, atRest?.calls ?? 0), ms: less(ms, atRest?.ms ?? 0) };
  });
  return {
    counters: costOfOne(reading, perSecond(rest), COUNTED.count),
    grpc: Object.fromEntries(Object.entries(reading.grpc).map(([method, count]) => [method, less(count, rest.grpc[method] ?? 0)])),
    statements: statements.filter(({ calls }) => calls >= 0.05).sort((one, other) => other.calls - one.calls),
  };
}

/** Counts in a stack of its own, since what counts takes time too. The models answer at once: the same is sent, read and written. */
export async function count(): Promise<CountedForms> {
  const world = await startWorld({ counting: true });
  try {
    await queryDatabase(world.stack, 'postgres', 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await warmUp(world);
    await pause(STATISTICS_DELAY_MS);
    const rest = await step('counts at rest', () => readingOf(world, () => pause(STATISTICS_DELAY_MS)));
    const counted = async (intake: Intake) => {
      const reading = await step(`counts of ${COUNTED.count} reports: ${intake}`, () =>
        readingOf(world, () => send(world, intake, COUNTED)),
      );
      return countedOf(reading, rest);
    };
    return { url: await counted('url'), upload: await counted('upload') };
  } finally {
    await world.stop();
  }
}
