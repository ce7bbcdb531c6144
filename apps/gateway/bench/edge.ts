import {
  CONNECTIONS,
  measureInTurn,
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
import { reportWithContent } from './ready-report';
import { apiCall, CREATION, createReports, READ_REPORTS } from './reports';

const JSON_BODY = { 'content-type': 'application/json' };

async function scenarios(stack: StackUnderLoad, reports: readonly string[]): Promise<Scenario[]> {
  const { origin, pathname } = new URL(stack.base_url);
  const authorization = `Bearer ${stack.keys.test}`;
  const ours = { pids: stack.pids, edge: 'gateway' };
  const read = reports.map((id) => `${pathname}/reports/${id}`);
  const list: Scenario[] = [
    { ...ours, name: 'GET /reports/{id}', status: 200, request: spreadOver(origin, read, { headers: { authorization } }) },
    {
      ...ours,
      name: 'POST /reports',
      status: 201,
      request: { url: `${stack.base_url}/reports`, method: 'POST', headers: { authorization, ...JSON_BODY }, body: CREATION },
    },
  ];
  const ready = await reportWithContent(stack);
  if (!ready) {
    process.stderr.write('No report has content yet, so its 304 is not measured: npm run demo makes one.\n');
    return list;
  }
  const path = `/reports/${ready.reportId}/content`;
  const etag = (await apiCall(stack, ready.key, 'GET', path)).headers.get('etag')!;
  const headers = { authorization: `Bearer ${ready.key}`, 'if-none-match': etag };
  list.push({ ...ours, name: 'GET /reports/{id}/content, 304', status: 304, request: { url: `${stack.base_url}${path}`, headers } });
  return list;
}

async function main(): Promise<void> {
  const stack = await readStack();
  const reports = await createReports(stack, READ_REPORTS);
  const report = Buffer.from(await (await apiCall(stack, stack.keys.test, 'GET', `/reports/${reports[0]}`)).arrayBuffer());
  const bare = await startBareRoute(stack.postgres_url, report, READ_REPORTS);
  try {
    const postgres = stack.pids['postgres'];
    const pids = { bare: bare.pid, ...(postgres ? { postgres } : {}) };
    const request = spreadOver(bare.origin, bare.paths);
    const rows = await measureInTurn([
      { name: 'bare Fastify, one indexed read', request, status: 200, pids, edge: 'bare' },
      ...(await scenarios(stack, reports)),
    ]);
    process.stdout.write(
      `${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_SECONDS} s each in turn (medians), reads spread over ${READ_REPORTS} reports; ` +
        `the load generator shares the machine. CPU is per request.\n\n${table(rows)}\n`,
    );
    if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
  } finally {
    bare.stop();
  }
}

runBench(main);
