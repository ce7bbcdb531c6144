import {
  type BareRoute,
  CONNECTIONS,
  isAtLeast,
  isAtMost,
  type Measured,
  measureInTurn,
  rangeText,
  readStack,
  ROUND_SECONDS,
  ROUNDS,
  runBench,
  type Scenario,
  spreadOver,
  type StackUnderLoad,
  startBareRoute,
  table,
} from '@tire/test-harness/bench';
import { join } from 'node:path';
import { reportWithContent } from './ready-report';
import { apiCall, CREATION, createReports, READ_REPORTS } from './reports';
import { type Edge, startEdge } from './started-edge';

const JSON_BODY = { 'content-type': 'application/json' };
const P99_AT_HALF_LOAD_MS = 30;

/** `EDGE_BENCH_NODE` is another program of Node, `EDGE_BENCH_BUILD` a folder with another dist: both pairs of processes start anew then. */
const OTHER = { node: process.env['EDGE_BENCH_NODE'], build: process.env['EDGE_BENCH_BUILD'] };
const THIS = { node: process.execPath, build: join(__dirname, '../../../..') };

interface Route extends Scenario {
  /** The least share of the bare route's rate. */
  readonly leastOfBare?: number;
}

async function edgesOf(stack: StackUnderLoad): Promise<Edge[]> {
  if (!OTHER.node && !OTHER.build) return [{ suffix: '', baseUrl: stack.base_url, pids: stack.pids, stop: () => Promise.resolve() }];
  const one = await startEdge(stack, { suffix: ' (this)', ...THIS });
  try {
    const other = { node: OTHER.node ?? THIS.node, build: OTHER.build ?? THIS.build };
    return [one, await startEdge(stack, { suffix: ' (other)', ...other })];
  } catch (error) {
    await one.stop();
    throw error;
  }
}

async function routesOf(stack: StackUnderLoad, edges: readonly Edge[], reports: readonly string[]): Promise<Route[]> {
  const authorization = `Bearer ${stack.keys.test}`;
  const onEach = (make: (edge: Edge, origin: string, pathname: string) => Omit<Route, 'pids' | 'edge'>): Route[] =>
    edges.map((edge) => {
      const { origin, pathname } = new URL(edge.baseUrl);
      const { name, ...route } = make(edge, origin, pathname);
      return { name: `${name}${edge.suffix}`, ...route, pids: edge.pids, edge: 'gateway' };
    });
  const routes = [
    ...onEach((_, origin, pathname) => ({
      name: 'GET /reports/{id}',
      status: 200,
      leastOfBare: 0.7,
      request: spreadOver(
        origin,
        reports.map((id) => `${pathname}/reports/${id}`),
        { headers: { authorization } },
      ),
    })),
    ...onEach(({ baseUrl }) => ({
      name: 'POST /reports',
      status: 201,
      request: { url: `${baseUrl}/reports`, method: 'POST', headers: { authorization, ...JSON_BODY }, body: CREATION },
    })),
  ];
  const ready = await reportWithContent(stack);
  if (!ready) {
    process.stderr.write('No report has content yet, so its 304 is not measured: npm run demo makes one.\n');
    return routes;
  }
  const path = `/reports/${ready.reportId}/content`;
  const etag = (await apiCall(stack, ready.key, 'GET', path)).headers.get('etag')!;
  const headers = { authorization: `Bearer ${ready.key}`, 'if-none-match': etag };
  return [
    ...routes,
    ...onEach(({ baseUrl }) => ({
      name: 'GET /reports/{id}/content, 304',
      status: 304,
      leastOfBare: 0.8,
      request: { url: `${baseUrl}${path}`, headers },
    })),
  ];
}

/** A goal is kept if every round keeps it. */
function goalLines({ name, leastOfBare }: Route, { sharesOfFirst, p99sAtHalfLoadMs }: Measured): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const p99 = `p99 at half load ${rangeText(p99sAtHalfLoadMs, ms)}, at most ${ms(P99_AT_HALF_LOAD_MS)}: ${isAtMost(p99sAtHalfLoadMs, P99_AT_HALF_LOAD_MS)}`;
  if (leastOfBare === undefined) return [`${name}: ${p99}`];
  return [
    `${name}: ${rangeText(sharesOfFirst, percent)} of the bare route, at least ${percent(leastOfBare)}: ${isAtLeast(sharesOfFirst, leastOfBare)}`,
    `${name}: ${p99}`,
  ];
}

async function main(): Promise<void> {
  const stack = await readStack();
  const reports = await createReports(stack, READ_REPORTS);
  const report = Buffer.from(await (await apiCall(stack, stack.keys.test, 'GET', `/reports/${reports[0]}`)).arrayBuffer());
  const edges = await edgesOf(stack);
  let bare: BareRoute | undefined;
  try {
    bare = await startBareRoute(stack.postgres_url, report, READ_REPORTS);
    const postgres = stack.pids['postgres'];
    const pids = { bare: bare.pid, ...(postgres ? { postgres } : {}) };
    const request = spreadOver(bare.origin, bare.paths);
    const routes = await routesOf(stack, edges, reports);
    const rows = await measureInTurn([{ name: 'bare Fastify, one indexed read', request, status: 200, pids, edge: 'bare' }, ...routes]);
    const goals = routes.flatMap((route, index) => goalLines(route, rows[index + 1]!));
    process.stdout.write(
      `${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_SECONDS} s each in turn (medians), reads spread over ${READ_REPORTS} reports; ` +
        `the load generator shares the machine. CPU is per request.\n\n${table(rows)}\n\n${goals.join('\n')}\n`,
    );
    if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
  } finally {
    bare?.stop();
    await Promise.all(edges.map((edge) => edge.stop()));
  }
}

runBench(main);
