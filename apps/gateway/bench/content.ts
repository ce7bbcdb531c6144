import {
  CONNECTIONS,
  measureInTurn,
  readStack,
  ROUND_SECONDS,
  ROUNDS,
  runBench,
  spreadOver,
  startBareRoute,
  table,
} from '@tire/test-harness/bench';
import { reportWithContent } from './ready-report';
import { apiCall, READ_REPORTS } from './reports';

const AT_LEAST_OF_BARE = 0.6;

/** Reads of ready content, compared with a route that only reads the same bytes from the same Postgres and sends them. */
async function main(): Promise<void> {
  const stack = await readStack();
  const ready = await reportWithContent(stack);
  if (!ready) throw new Error('No report has content yet: npm run demo makes one');
  const path = `/reports/${ready.reportId}/content`;
  const answer = await apiCall(stack, ready.key, 'GET', path);
  const document = Buffer.from(await answer.arrayBuffer());
  const canonical = new URL(answer.headers.get('content-location')!).pathname.replace(new URL(stack.base_url).pathname, '');
  const authorization = `Bearer ${ready.key}`;
  const conditional = { authorization, 'if-none-match': answer.headers.get('etag')! };
  const read = (name: string, to: string, status: number, headers: Record<string, string>) => ({
    name,
    status,
    pids: stack.pids,
    edge: 'gateway',
    request: { url: `${stack.base_url}${to}`, headers },
  });
  const bare = await startBareRoute(stack.postgres_url, document, READ_REPORTS);
  try {
    const rows = await measureInTurn([
      {
        name: 'bare Fastify, the same bytes',
        request: spreadOver(bare.origin, bare.paths),
        status: 200,
        pids: { bare: bare.pid },
        edge: 'bare',
      },
      read('GET /reports/{id}/content', path, 200, { authorization }),
      read('GET /reports/{id}/content, 304', path, 304, conditional),
      read('GET /reports/{id}/content/{revision}', canonical, 200, { authorization }),
    ]);
    process.stdout.write(
      `${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_SECONDS} s each in turn (medians), a document of ` +
        `${(document.length / 1_024).toFixed(0)} KiB; the load generator shares the machine. CPU is per request.\n\n${table(rows)}\n`,
    );
    if (rows.some(({ failed, ofFirst }) => failed > 0 || ofFirst < AT_LEAST_OF_BARE)) process.exitCode = 1;
  } finally {
    bare.stop();
  }
}

runBench(main);
