import { eventually, freePort, launch } from '@tire/test-harness';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Operation, OPERATIONS } from '../src/models/manifest';
import type { Plan } from './peer-plan';

const FOLDER = resolve('apps/inference/bench/peers');
/** One virtual environment for each peer, made once. */
const VENVS = resolve(process.env['PEER_BENCH_VENVS'] ?? join(FOLDER, '.venv'));
const START_WITHIN_MS = 120_000;
/** Characters of the log of a server that ended. */
const LOG_SHOWN = 300;

export interface Server {
  readonly name: string;
  /** The roots of its processes. */
  readonly pids: readonly number[];
  /** One photograph, from the request to the answer. */
  measure(operation: Operation): Promise<void>;
  close(): Promise<void>;
}

interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Peer {
  readonly name: string;
  /** Of its file of requirements and of its program. */
  readonly file: string;
  readonly command: (python: string, port: number) => readonly string[];
  readonly readyPath: string;
  readonly requestOf: (operation: Operation, photograph: Buffer) => Request;
  readonly figuresOf: (answer: unknown) => Figures;
}

/** The number of runs, and the largest value of each output of the first one. */
type Figures = Readonly<Record<string, number>>;

const program = (file: string) => (python: string) => [python, join(FOLDER, `serve_${file}.py`)];
const plain = (operation: Operation, body: Buffer): Request => ({
  path: `/${operation}`,
  headers: { 'content-type': 'application/octet-stream' },
  body,
});

/** The V2 protocol of KServe and Triton, with the tensor as bytes behind the JSON. */
function v2(operation: Operation, photograph: Buffer): Request {
  const size = photograph.length;
  const inputs = [{ name: 'photograph', shape: [size], datatype: 'UINT8', parameters: { binary_data_size: size } }];
  const json = Buffer.from(JSON.stringify({ inputs, outputs: [{ name: 'answer', parameters: { binary_data: false } }] }));
  return {
    path: `/v2/models/${operation}/infer`,
    headers: { 'content-type': 'application/octet-stream', 'inference-header-content-length': String(json.length) },
    body: Buffer.concat([json, photograph]),
  };
}
const v2Figures = (answer: unknown): Figures => JSON.parse((answer as { outputs: [{ data: [string] }] }).outputs[0].data[0]);
const plainFigures = (answer: unknown): Figures => answer as Figures;

const PEERS: readonly Peer[] = [
  {
    ...{ name: 'FastAPI', file: 'fastapi', command: program('fastapi') },
    ...{ readyPath: '/ready', requestOf: plain, figuresOf: plainFigures },
  },
  {
    ...{ name: 'BentoML', file: 'bentoml', readyPath: '/readyz', requestOf: plain, figuresOf: plainFigures },
    command: (python, port) => [
      ...[python, '-m', 'bentoml', 'serve', 'serve_bentoml:Tires'],
      ...['--working-dir', FOLDER, '--host', '127.0.0.1', '--port', String(port)],
    ],
  },
  {
    ...{ name: 'KServe', file: 'kserve', command: program('kserve') },
    ...{ readyPath: `/v2/models/${OPERATIONS.at(-1)!}/ready`, requestOf: v2, figuresOf: v2Figures },
  },
  {
    ...{ name: 'Triton', file: 'triton', command: program('triton') },
    ...{ readyPath: `/v2/models/${OPERATIONS.at(-1)!}/ready`, requestOf: v2, figuresOf: v2Figures },
  },
];

/** The Python of a virtual environment that has what the peer's file of requirements names. */
async function installed({ file }: Peer): Promise<string> {
  const run = promisify(execFile);
  const [venv, requirements] = [join(VENVS, file), join(FOLDER, `${file}.txt`)];
  const [mark, wanted] = [join(venv, 'requirements.txt'), await readFile(requirements, 'utf8')];
  const python = join(venv, 'bin/python');
  if ((await readFile(mark, 'utf8').catch(() => '')) === wanted) return python;
  await mkdir(VENVS, { recursive: true });
  await run('python3', ['-m', 'venv', venv]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  await writeFile(mark, wanted);
  return python;
}

function send(agent: Agent, port: number, { path, headers, body }: Request): Promise<unknown> {
  return new Promise((answered, failed) => {
    const sending = request({
      agent,
      host: '127.0.0.1',
      port,
      method: 'POST',
      path,
      headers: { ...headers, 'content-length': body.length },
    });
    sending.on('error', failed);
    sending.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) answered(JSON.parse(text));
        else failed(new Error(`${path}: ${response.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sending.end(body);
  });
}

/** A peer that returns without having run the networks must not count. */
function assertMeasured(plan: Plan, operation: Operation, figures: Figures): void {
  const { runs, surely } = plan[operation];
  if (figures['runs'] !== runs.length || !((figures[surely.output] ?? NaN) >= surely.least))
    throw new Error(`${operation}: ${JSON.stringify(figures)} is not the answer of ${runs.length} runs`);
}

/** Python 3 or PyPI is not here. */
class NotInstalled extends Error {
  override name = 'NotInstalled';
}

async function start(peer: Peer, folder: string, plan: Plan): Promise<Server> {
  const python = await installed(peer).catch((error: unknown) => {
    throw new NotInstalled(error instanceof Error ? error.message : String(error), { cause: error });
  });
  const [port, grpcPort] = [await freePort(), await freePort()];
  const [command, ...args] = peer.command(python, port);
  const logFile = join(folder, `${peer.file}.log`);
  const server = launch({
    ...{ command: command!, args, logFile, stopSignal: 'SIGTERM' },
    env: {
      ...{ PEER_PLAN: join(folder, 'plan.json'), PEER_PORT: String(port), PEER_GRPC_PORT: String(grpcPort) },
      ...{ PEER_THREADS: String(cpus().length), BENTOML_DO_NOT_TRACK: 'True', BENTOML_HOME: join(folder, 'bentoml') },
      MALLOC_ARENA_MAX: '2',
    },
  });
  const agent = new Agent({ keepAlive: true });
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}${peer.readyPath}`)).ok;
  const ended = server.exited.then(async ({ code }) => {
    throw new Error(`ended with ${code}: ${(await readFile(logFile, 'utf8')).trim().slice(-LOG_SHOWN)}`);
  });
  ended.catch(() => undefined);
  const ready = eventually(isReady, { timeoutMs: START_WITHIN_MS, message: 'not ready' });
  await Promise.race([ended, ready]).catch(async (error: unknown) => {
    await server.stop('SIGKILL');
    throw error;
  });
  const requests = new Map<Operation, Request>();
  for (const operation of OPERATIONS) requests.set(operation, peer.requestOf(operation, await readFile(plan[operation].photograph)));
  const peerServer: Server = {
    ...{ name: peer.name, pids: [server.pid] },
    measure: async (operation) => assertMeasured(plan, operation, peer.figuresOf(await send(agent, port, requests.get(operation)!))),
    close: async () => {
      agent.destroy();
      await server.stop();
    },
  };
  try {
    for (const operation of OPERATIONS) await peerServer.measure(operation);
  } catch (error) {
    await peerServer.close();
    throw error;
  }
  return peerServer;
}

export interface Peers {
  readonly servers: readonly Server[];
  /** Those that cannot be had, with the reason. */
  readonly absent: readonly string[];
  readonly isNoneInstalled: boolean;
}

export async function startPeers(folder: string, plan: Plan): Promise<Peers> {
  const servers: Server[] = [];
  const absent: string[] = [];
  let notInstalled = 0;
  for (const peer of PEERS) {
    try {
      servers.push(await start(peer, folder, plan));
    } catch (error) {
      if (error instanceof NotInstalled) notInstalled += 1;
      absent.push(`${peer.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { servers, absent, isNoneInstalled: notInstalled === PEERS.length };
}
