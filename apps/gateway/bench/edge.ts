import autocannon from 'autocannon';
import { startBareRoute } from './bare-process';
import { cpuMsOf } from './process-cpu';
import { readStack, reportWithContent, type StackFile } from './stack-under-load';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 3;
const MEASURED_SECONDS = 10;
const SERVICES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'];

interface Scenario {
  readonly name: string;
  readonly request: autocannon.Options;
  readonly status: number;
  readonly pids: Readonly<Record<string, number>>;
  /** The process that answers HTTP. */
  readonly edge: string;
}

interface Measured {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly edgeUs: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
  readonly failed: number;
}

async function measure({ name, request, status, pids, edge }: Scenario): Promise<Measured> {
  await autocannon({ ...request, connections: CONNECTIONS, duration: WARM_UP_SECONDS });
  const before = await cpuMsOf(pids);
  const result = await autocannon({ ...request, connections: CONNECTIONS, duration: MEASURED_SECONDS });
  const after = await cpuMsOf(pids);
  const answered = result.requests.total;
  const perRequestUs = (names: readonly string[]): number =>
    (names.reduce((sum, process) => sum + (after[process] ?? 0) - (before[process] ?? 0), 0) * 1_000) / answered;
  const expected = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  return {
    name,
    requestsPerSecond: answered / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    edgeUs: perRequestUs([edge]),
    nodeUs: perRequestUs(Object.keys(pids).filter((process) => process === edge || SERVICES.includes(process))),
    postgresUs: perRequestUs(['postgres']),
    failed: answered - Number(expected) + result.errors,
  };
}

async function call(stack: StackFile, key: string, method: string, path: string, body?: string): Promise<Response> {
  const response = await fetch(`${stack.base_url}${path}`, { method, body, headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

const CREATION = JSON.stringify({ plate_number: '12가 3456', template: 'tire_4t_0s' });

async function scenarios(stack: StackFile, reportId: string): Promise<Scenario[]> {
  const authorization = `Bearer ${stack.keys.test}`;
  const ours = { pids: stack.pids, edge: 'gateway' };
  const list: Scenario[] = [
    {
      ...ours,
      name: 'GET /reports/{id}',
      status: 200,
      request: { url: `${stack.base_url}/reports/${reportId}`, headers: { authorization } },
    },
    {
      ...ours,
      name: 'POST /reports',
      status: 201,
      request: {
        url: `${stack.base_url}/reports`,
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: CREATION,
      },
    },
  ];
  const ready = await reportWithContent(stack);
  if (!ready) {
    process.stderr.write('No report has content yet, so its 304 is not measured: npm run demo makes one.\n');
    return list;
  }
  const etag = (await call(stack, ready.key, 'GET', `/reports/${ready.reportId}/content`)).headers.get('etag')!;
  list.push({
    ...ours,
    name: 'GET /reports/{id}/content, 304',
    status: 304,
    request: {
      url: `${stack.base_url}/reports/${ready.reportId}/content`,
      headers: { authorization: `Bearer ${ready.key}`, 'if-none-match': etag },
    },
  });
  return list;
}

function table(rows: readonly Measured[]): string {
  const [bare] = rows;
  const line = (row: Measured) =>
    `| ${[
      row.name,
      row.requestsPerSecond.toFixed(0),
      bare ? `${((100 * row.requestsPerSecond) / bare.requestsPerSecond).toFixed(0)} %` : '',
      row.p50Ms,
      row.p99Ms,
      row.edgeUs.toFixed(0),
      row.nodeUs.toFixed(0),
      row.postgresUs.toFixed(0),
      row.failed,
    ].join(' | ')} |`;
  return [
    '| route | requests/s | of bare | p50 ms | p99 ms | edge CPU µs | all services CPU µs | Postgres CPU µs | failed |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map(line),
  ].join('\n');
}

async function main(): Promise<void> {
  const stack = await readStack();
  const created = (await (await call(stack, stack.keys.test, 'POST', '/reports', CREATION)).json()) as { report_id: string };
  const report = Buffer.from(await (await call(stack, stack.keys.test, 'GET', `/reports/${created.report_id}`)).arrayBuffer());
  const bare = await startBareRoute(stack.postgres_url, report);
  const rows: Measured[] = [];
  try {
    const postgres = stack.pids['postgres'];
    const pids = { bare: bare.pid, ...(postgres ? { postgres } : {}) };
    rows.push(await measure({ name: 'bare Fastify, one indexed read', request: { url: bare.url }, status: 200, pids, edge: 'bare' }));
    for (const scenario of await scenarios(stack, created.report_id)) rows.push(await measure(scenario));
  } finally {
    bare.stop();
  }
  process.stdout.write(
    `${CONNECTIONS} connections, ${MEASURED_SECONDS} s each after ${WARM_UP_SECONDS} s of warm-up; the load generator shares the machine. CPU is per request.\n\n${table(rows)}\n`,
  );
  if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
