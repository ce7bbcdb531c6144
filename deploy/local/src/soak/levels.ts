import { queryDatabase } from '@tire/test-harness/bench';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DATABASE_OWNERS } from '../databases';
import { checkObjects } from '../restore/verify';
import { stackDir, type StackFile } from '../stack-file';
import type { Kept, Levels } from './verdict';

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

/** The processes of Node in this stack: the services and those that they start. What a killed service started must end with it. */
async function nodeProcesses(): Promise<number> {
  const mark = `STACK_DIR=${stackDir()}\0`;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const isOurs = async (pid: string) =>
    (await read(`${pid}/cmdline`)).startsWith(process.execPath) && `${await read(`${pid}/environ`)}\0`.includes(mark);
  return (await Promise.all(pids.map(isOurs))).filter(Boolean).length;
}

/** Tables in which a discarded report leaves rows: that it existed, and what happened. */
const KEPT =
  /^(reports|publications|share_links|discarded_\w+|idempotency_records|usage_\w+|work_\w+|request_log\w*|audit_\w+|callback\w*|\w*migrations|vehicle\w*|sessions|known_\w+|sign_in_\w+)$/;

async function rowsOf(stack: StackFile): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const service of DATABASE_OWNERS) {
    const database = `tire_${service}`;
    const tables = await queryDatabase<{ name: string }>(
      stack,
      database,
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const { name } of tables.filter((table) => !KEPT.test(table.name))) {
      const [row] = await queryDatabase<{ count: number }>(stack, database, `SELECT count(*)::int AS count FROM "${name}"`);
      counts[`${service}.${name}`] = row!.count;
    }
  }
  return counts;
}

async function waitingOf(stack: StackFile): Promise<Record<string, number>> {
  const queues = [
    ...['ledger', 'assets', 'content', 'share'].map((service) => [service, 'outbox'] as const),
    ['ledger', 'slots WHERE queued_at IS NOT NULL'],
    ['ledger', 'reports WHERE handover_at IS NOT NULL'],
    ['share', `callbacks WHERE state = 'pending'`],
  ] as const;
  const counts = await Promise.all(
    queues.map(async ([service, from]) => {
      const [row] = await queryDatabase<{ count: number }>(stack, `tire_${service}`, `SELECT count(*)::int AS count FROM ${from}`);
      return [`${service}.${from}`, row!.count] as const;
    }),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Returns what still waits at the end of the time: work and messages, by their queue. */
export async function untilNothingWaits(stack: StackFile, withinMs: number): Promise<string[]> {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    const waiting = Object.entries(await waitingOf(stack));
    if (waiting.length === 0) return [];
    if (Date.now() > deadlineMs) return waiting.map(([queue, count]) => `${count} still wait in ${queue}`);
    await pause(2_000);
  }
}

export async function levelsOf(stack: StackFile): Promise<Levels> {
  const of = async (measure: (pid: number) => Promise<number>) =>
    Object.fromEntries(await Promise.all(Object.entries(stack.pids).map(async ([name, pid]) => [name, await measure(pid)] as const)));
  const { objects, missing, orphans } = await checkObjects();
  return {
    memoryMib: await of(treeMib),
    handles: await of(handlesOf),
    processes: { node: await nodeProcesses() },
    rows: await rowsOf(stack),
    objects: { objects, missing, ...orphans },
  };
}

const KEPT_REPORTS = `
  SELECT report_id AS "reportId", analysis_status AS "analysisStatus", publication_status AS "publicationStatus",
    (SELECT count(*)::int FROM slots s WHERE s.report_id = r.report_id) AS images,
    (SELECT count(*)::int FROM analyses a WHERE a.report_id = r.report_id) AS analyses,
    ARRAY(SELECT v.revision_id::text FROM analysis_revisions v WHERE v.report_id = r.report_id) AS revisions,
    revision_id::text AS current
  FROM reports r WHERE discarded_at IS NULL`;

export const keptReports = (stack: StackFile): Promise<Kept[]> => queryDatabase<Kept>(stack, 'tire_ledger', KEPT_REPORTS);

/** What is counted, and what was used since. */
const USED = `
  SELECT measure, sum(count)::int AS count FROM (
    SELECT measure, count FROM usage_quarters
    UNION ALL SELECT 'reports', 1 FROM reports, usage_counted WHERE created_at >= until
    UNION ALL SELECT 'images', images_at_creation FROM reports, usage_counted WHERE created_at >= until
    UNION ALL SELECT 'images', 1 FROM report_history, usage_counted, json_array_elements(happenings) happening
               WHERE at >= until AND happening->>'what' IN ('image_registered', 'image_attached')
  ) used GROUP BY measure`;

export const usageOf = async (stack: StackFile): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await queryDatabase<{ measure: string; count: number }>(stack, 'tire_ledger', USED)).map(({ measure, count }) => [measure, count]),
  );
