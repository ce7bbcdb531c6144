import { freePort, launch, NODE_ARGUMENTS, type ServerProcess, untilReady } from '@tire/test-harness';
import type { StackUnderLoad } from '@tire/test-harness/bench';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A gateway with the ledger that it calls. */
export interface Edge {
  /** Follows the name of a route. */
  readonly suffix: string;
  readonly baseUrl: string;
  readonly pids: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

export interface EdgeOptions {
  readonly suffix: string;
  /** The folder that contains dist. */
  readonly build: string;
  /** The program of Node. */
  readonly node: string;
}

type Service = 'gateway' | 'ledger';

async function environmentOf(pid: number): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8');
  return Object.fromEntries(
    text
      .split('\0')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/**
 * Starts a gateway and a ledger beside those of the stack, on the same stores, so that builds and versions of Node can be compared in one run.
 * What follows a creation is done by any ledger on these stores, so its CPU says little about one build.
 */
export async function startEdge({ pids, base_url }: StackUnderLoad, { suffix, build, node }: EdgeOptions): Promise<Edge> {
  const folder = await mkdtemp(join(tmpdir(), 'tire-edge-'));
  const grpcPort = String(await freePort());
  const started: ServerProcess[] = [];
  const stop = async () => {
    await Promise.allSettled(started.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  const start = async (service: Service, own: Record<string, string>) => {
    const [http, operations] = [await freePort(), await freePort()];
    const logFile = join(folder, `${service}.log`);
    const server = launch({
      command: node,
      args: [...NODE_ARGUMENTS, join(build, 'dist/apps', service, 'src/main.js')],
      logFile,
      stopSignal: 'SIGTERM',
      env: { ...(await environmentOf(pids[service]!)), HTTP_PORT: String(http), OPERATIONS_PORT: String(operations), ...own },
    });
    started.push(server);
    const isReady = () =>
      fetch(`http://127.0.0.1:${operations}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await untilReady(server, `${service} of ${build} on ${node}`, logFile, isReady);
    return { http, pid: server.pid };
  };
  try {
    const ledger = await start('ledger', { GRPC_PORT: grpcPort });
    const gateway = await start('gateway', { LEDGER_GRPC_URL: `127.0.0.1:${grpcPort}` });
    return {
      suffix,
      baseUrl: `http://127.0.0.1:${gateway.http}${new URL(base_url).pathname}`,
      pids: { ...pids, gateway: gateway.pid, ledger: ledger.pid },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
