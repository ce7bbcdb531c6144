import {
  CONNECTIONS,
  measureInTurn,
  openPages,
  readStack,
  ROUND_SECONDS,
  ROUNDS,
  runBench,
  spreadOver,
  startBareRoute,
  table,
} from '@tire/test-harness/bench';

const PAGES = 100;
const PAGES_PER_SECOND_MIN = 500;
const P99_AT_HALF_LOAD_MS_MAX = 50;

/** The share page as a visitor gets it, beside a route that only reads the same bytes from the same Postgres and sends them. */
async function main(): Promise<void> {
  const stack = await readStack();
  const paths = await openPages(stack, PAGES);
  const html = Buffer.from(await (await fetch(`${stack.share_url}${paths[0]}`)).arrayBuffer());
  const bare = await startBareRoute(stack.postgres_url, html, PAGES);
  const { postgres } = stack.pids;
  const page = (name: string, of: readonly string[]) => ({
    name,
    status: 200,
    pids: stack.pids,
    edge: 'share',
    request: spreadOver(stack.share_url, of),
  });
  try {
    const rows = await measureInTurn([
      {
        name: 'bare Fastify, the same bytes',
        request: spreadOver(bare.origin, bare.paths),
        status: 200,
        pids: { bare: bare.pid, ...(postgres ? { postgres } : {}) },
        edge: 'bare',
      },
      page('the page of one report', paths.slice(0, 1)),
      page(`the pages of ${PAGES} reports`, paths),
    ]);
    process.stdout.write(
      `${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_SECONDS} s each in turn (medians), a page of ` +
        `${(html.length / 1_024).toFixed(0)} KiB; the load generator shares the machine. CPU is per request.\n\n${table(rows)}\n`,
    );
    const [, ...pages] = rows;
    const isSlow = pages.some(
      ({ requestsPerSecond, p99AtHalfLoadMs }) => requestsPerSecond < PAGES_PER_SECOND_MIN || p99AtHalfLoadMs > P99_AT_HALF_LOAD_MS_MAX,
    );
    if (isSlow || rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
  } finally {
    bare.stop();
  }
}

runBench(main);
