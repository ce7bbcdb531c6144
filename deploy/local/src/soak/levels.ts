import { queryDatabase } from '@tire/test-harness/bench';
import { readdir, readFile } from 'node:fs/promises';
import { DATABASE_OWNERS } from '../databases';
import type { StackFile } from '../stack-file';

export interface Sample {
  readonly at: string;
  readonly atMs: number;
  readonly pids: Readonly<Record<string, number>>;
  readonly memoryMib: Readonly<Record<string, number>>;
  readonly handles: Readonly<Record<string, number>>;
}

const KIB_PER_MIB = 1_024;
const read = (path: string): Promise<string> => readFile(`/proc/${path}`, 'utf8').catch(() => '');

/** Proportional memory of a process and all its children: what backends of Postgres share counts once. */
async function treeMib(pid: number | string): Promise<number> {
  const [memory, children] = await Promise.all([read(`${pid}/smaps_rollup`), read(`${pid}/task/${pid}/children`)]);
  const own = Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? 0) / KIB_PER_MIB;
  const below = await Promise.all(children.split(' ').filter(Boolean).map(treeMib));
  return below.reduce((sum, one) => sum + one, own);
}

const handlesOf = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;

export async function sampleOf(stack: StackFile): Promise<Sample> {
  const pids = { ...stack.pids };
  const of = async (measure: (pid: number) => Promise<number>) =>
    Object.fromEntries(await Promise.all(Object.entries(pids).map(async ([name, pid]) => [name, await measure(pid)] as const)));
  const at = new Date();
  return { at: at.toISOString(), atMs: at.getTime(), pids, memoryMib: await of(treeMib), handles: await of(handlesOf) };
}

/** Rows that a discarded report leaves: that it existed. And rows that count or record what happened. */
const KEPT =
  /^(reports|publications|share_links|discarded_\w+|idempotency_records|usage_\w+|work_\w+|request_log\w*|audit_\w+|callbacks|callback_\w+|attempts|\w*migrations|delivered\w*|listened_\w+)$/;

/** The rows of each table that must be as before when all reports are discarded. */
export async function rowsOf(stack: StackFile): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const service of DATABASE_OWNERS) {
    const database = `tire_${service}`;
    const tables = await queryDatabase<{ name: string }>(
      stack,
      database,
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const { name } of tables) {
      if (KEPT.test(name)) continue;
      const [row] = await queryDatabase<{ count: number }>(stack, database, `SELECT count(*)::int AS count FROM "${name}"`);
      counts[`${service}.${name}`] = row!.count;
    }
  }
  return counts;
}

/** Work and messages that wait anywhere. */
export async function waitingOf(stack: StackFile): Promise<number> {
  const count = async (database: string, sql: string) =>
    (await queryDatabase<{ count: number }>(stack, `tire_${database}`, `SELECT count(*)::int AS count FROM ${sql}`))[0]!.count;
  const outboxes = await Promise.all(['ledger', 'assets', 'content', 'share'].map((name) => count(name, 'outbox')));
  const others = await Promise.all([
    count('ledger', 'slots WHERE queued_at IS NOT NULL'),
    count('ledger', 'reports WHERE handover_at IS NOT NULL'),
    count('share', `callbacks WHERE state = 'pending'`),
  ]);
  return [...outboxes, ...others].reduce((sum, one) => sum + one, 0);
}

/** Reports in the ledger, and reports that usage counts: those counted so far, and those since. */
export async function countedReports(stack: StackFile): Promise<{ reports: number; counted: number }> {
  const [row] = await queryDatabase<{ reports: number; counted: number }>(
    stack,
    'tire_ledger',
    `SELECT (SELECT count(*)::int FROM reports) AS reports,
            (SELECT coalesce(sum(count), 0)::int FROM usage_quarters WHERE measure = 'reports')
              + (SELECT count(*)::int FROM reports, usage_counted WHERE created_at >= until) AS counted`,
  );
  return row!;
}
