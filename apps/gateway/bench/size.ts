import {
  type Measured,
  measureInTurn,
  queryDatabase,
  readStack,
  rowCopies,
  runBench,
  spreadOver,
  type StackUnderLoad,
  startBareRoute,
  table,
} from '@tire/test-harness/bench';
import { apiCall, CREATION, createReports, READ_REPORTS } from './reports';

const MANY = Number(process.env['REPORTS'] ?? 1_000_000);
const PER_STATEMENT = 50_000;
const TABLES = ['reports', 'slots', 'analyses'];
const COPIED_REPORT = {
  report_id: 'uuidv7(make_interval(secs => -random() * 31536000))',
  share_token_digest: 'sha256((random()::text || n)::bytea)',
  link_token: 'NULL',
};

const inLedger = <R extends object>(stack: StackUnderLoad, sql: string, params: unknown[] = []) =>
  queryDatabase<R>(stack, 'tire_ledger', sql, params);

const countOf = async (stack: StackUnderLoad) =>
  (await inLedger<{ reports: number }>(stack, 'SELECT count(*)::int AS reports FROM reports'))[0]!.reports;

/** Copies one report over one year, with ids that contain the creation times of the copies. */
async function fillTo(stack: StackUnderLoad, count: number, sample: string): Promise<void> {
  const [reports, slots, analyses] = await Promise.all(TABLES.map((table) => rowCopies(stack, 'tire_ledger', table)));
  const ofReport = { report_id: 'made.report_id' };
  const statement = `
    WITH made AS (${reports!(COPIED_REPORT, 'reports original, generate_series(1, $2::int) n WHERE original.report_id = $1')} RETURNING report_id),
    copied AS (${slots!(ofReport, 'made, slots original WHERE original.report_id = $1')})
    ${analyses!(ofReport, 'made, analyses original WHERE original.report_id = $1')}`;
  for (let left = count - (await countOf(stack)); left > 0; left -= PER_STATEMENT)
    await inLedger(stack, statement, [sample, Math.min(left, PER_STATEMENT)]);
  for (const table of TABLES) await inLedger(stack, `VACUUM ANALYZE ${table}`);
}

/** Random reports of the project, so that uncached pages are read. */
const someLike = async (stack: StackUnderLoad, sample: string): Promise<string[]> =>
  (
    await inLedger<{ report_id: string }>(
      stack,
      `SELECT report_id FROM reports WHERE project_id = (SELECT project_id FROM reports WHERE report_id = $1) ORDER BY random() LIMIT $2`,
      [sample, READ_REPORTS],
    )
  ).map(({ report_id }) => report_id);

async function measureAll(stack: StackUnderLoad, sample: string, bareDocument: Buffer): Promise<Measured[]> {
  const { origin, pathname } = new URL(stack.base_url);
  const headers = { authorization: `Bearer ${stack.keys.test}`, 'content-type': 'application/json' };
  const ours = { pids: stack.pids, edge: 'gateway' };
  const paths = (await someLike(stack, sample)).map((id) => `${pathname}/reports/${id}`);
  const post = { url: `${stack.base_url}/reports`, method: 'POST' as const, headers, body: CREATION };
  const bare = await startBareRoute(stack.postgres_url, bareDocument, READ_REPORTS);
  try {
    const request = spreadOver(bare.origin, bare.paths);
    return await measureInTurn([
      { name: 'bare Fastify, one indexed read', request, status: 200, pids: { bare: bare.pid }, edge: 'bare' },
      { ...ours, name: 'GET /reports/{id}', status: 200, request: spreadOver(origin, paths, { headers }) },
      { ...ours, name: 'POST /reports', status: 201, request: post },
    ]);
  } finally {
    bare.stop();
  }
}

/** Rates are compared with the bare route of the same half, which removes the influence of other load on the machine. */
function kept(few: readonly Measured[], many: readonly Measured[]): string {
  const shares = few.map(
    ({ name, ofFirst }, index) => `${name} keeps ${((100 * many[index]!.ofFirst) / ofFirst).toFixed(0)} % of its rate`,
  );
  return shares.slice(1).join('; ');
}

async function main(): Promise<void> {
  const stack = await readStack();
  const [sample] = await createReports(stack, READ_REPORTS);
  const document = Buffer.from(await (await apiCall(stack, stack.keys.test, 'GET', `/reports/${sample}`)).arrayBuffer());
  const sizes: number[] = [];
  const halves: Measured[][] = [];
  for (const size of [0, MANY]) {
    await fillTo(stack, size, sample!);
    sizes.push(await countOf(stack));
    halves.push(await measureAll(stack, sample!, document));
  }
  const [few, many] = halves as [Measured[], Measured[]];
  const part = (index: number) => `${sizes[index]} reports in the ledger\n\n${table(halves[index]!)}\n\n`;
  process.stdout.write(`${part(0)}${part(1)}${kept(few, many)}, measured against the bare route of the same half.\n`);
}

runBench(main);
