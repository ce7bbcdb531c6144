import {
  type Measured,
  measureInTurn,
  printedShares,
  queryDatabase,
  readStack,
  runBench,
  sharesKept,
  spreadOver,
  type StackUnderLoad,
  startBareRoute,
  table,
} from '@tire/test-harness/bench';
import { bytesOf, countOf, fillTo, reportsLike, type Sizes } from './large-ledger';
import { reportWithContent } from './ready-report';
import { apiCall, CREATION, createReports, READ_REPORTS } from './reports';
import { startVacuuming } from './vacuuming';

const REPORTS = Number(process.env['REPORTS'] ?? 1_000_000);
/** Of these so many have eight images and their measurements, which take 50 times the room of the report itself. */
const WITH_IMAGES = Number(process.env['WITH_IMAGES'] ?? REPORTS / 100);
const KEPT_MIN = 0.9;

interface Samples {
  readonly empty: string;
  readonly complete: { readonly reportId: string; readonly key: string };
}

async function measureAll(stack: StackUnderLoad, { empty, complete }: Samples, bareDocument: Buffer): Promise<Measured[]> {
  const { origin, pathname } = new URL(stack.base_url);
  const withKey = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const ours = { pids: stack.pids, edge: 'gateway' };
  const reads = async (sample: string, key: string) => {
    const ids = await reportsLike(stack, sample, READ_REPORTS);
    return spreadOver(
      origin,
      ids.map((id) => `${pathname}/reports/${id}`),
      { headers: withKey(key) },
    );
  };
  const post = { url: `${stack.base_url}/reports`, method: 'POST' as const, headers: withKey(stack.keys.test), body: CREATION };
  const bare = await startBareRoute(stack.postgres_url, bareDocument, READ_REPORTS);
  try {
    const request = spreadOver(bare.origin, bare.paths);
    return await measureInTurn([
      { name: 'bare Fastify, one indexed read', request, status: 200, pids: { bare: bare.pid }, edge: 'bare' },
      { ...ours, name: 'GET /reports/{id}', status: 200, request: await reads(empty, stack.keys.test) },
      { ...ours, name: 'GET /reports/{id}, eight measurements', status: 200, request: await reads(complete.reportId, complete.key) },
      { ...ours, name: 'POST /reports', status: 201, request: post },
    ]);
  } finally {
    bare.stop();
  }
}

const LARGE_CACHE = `SELECT setting::int * 8 / 1024 AS mb FROM pg_settings WHERE name = 'shared_buffers'`;

async function main(): Promise<void> {
  const stack = await readStack();
  const complete = await reportWithContent(stack);
  if (!complete) throw new Error('No report has content yet: npm run demo makes one');
  const [empty] = await createReports(stack, 1);
  const samples = { empty: empty!, complete };
  const document = Buffer.from(await (await apiCall(stack, stack.keys.test, 'GET', `/reports/${empty}`)).arrayBuffer());
  const parts: string[] = [];
  const half = async (sizes: Sizes, vacuum: boolean): Promise<Measured[]> => {
    const filledMs = await fillTo(stack, sizes, samples.empty, complete.reportId);
    const stopVacuum = vacuum ? await startVacuuming(stack) : () => Promise.resolve('no vacuum');
    const rows = await measureAll(stack, samples, document);
    const vacuumed = await stopVacuum();
    parts.push(
      `${await countOf(stack)} reports in the ledger, ${await bytesOf(stack)}; filled in ${(filledMs / 1_000).toFixed(0)} s; ${vacuumed}\n\n${table(rows)}\n\n`,
    );
    return rows;
  };
  const few = await half({ reports: 2 * READ_REPORTS, withImages: READ_REPORTS }, false);
  const many = await half({ reports: REPORTS, withImages: WITH_IMAGES }, true);
  const [cache] = await queryDatabase<{ mb: number }>(stack, 'postgres', LARGE_CACHE);
  const kept = sharesKept(few, many);
  process.stdout.write(
    `${parts.join('')}${printedShares(kept)}, measured against the bare route of the same half. Postgres has ${cache!.mb} MB of its own cache.\n`,
  );
  if (kept.some(({ name, share }) => name.startsWith('GET') && share < KEPT_MIN)) process.exitCode = 1;
}

runBench(main);
