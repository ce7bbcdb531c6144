import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { infrastructureOfThisRun } from './infrastructure';
import { freePort, tempDir } from './scratch';
import { launch, untilReady, type ServerProcess } from './server-process';

export interface NatsServer extends ServerProcess {
  readonly url: string;
  readonly port: number;
}

const greets = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('data', () => answer(true)).once('error', () => answer(false));
  });

export interface NatsOptions {
  /** The text of its configuration file, for example its users. Default: everyone may do everything. */
  configuration?: string | undefined;
}

/** A nats-server with JetStream with its store and its log in the given folder. */
export async function startNatsServer(options: NatsOptions & { binary: string; storeDir: string; port?: number }): Promise<NatsServer> {
  const { binary, storeDir, configuration } = options;
  await mkdir(storeDir, { recursive: true });
  const port = options.port ?? (await freePort());
  const logFile = join(storeDir, 'nats-server.log');
  const file = join(storeDir, 'nats-server.conf');
  if (configuration !== undefined) await writeFile(file, configuration, { mode: 0o600 });
  const server = launch({
    command: binary,
    args: [
      '--addr',
      '127.0.0.1',
      '--port',
      String(port),
      '--jetstream',
      '--store_dir',
      storeDir,
      ...(configuration === undefined ? [] : ['--config', file]),
    ],
    logFile,
    stopSignal: 'SIGTERM',
  });
  await untilReady(server, 'nats-server', logFile, () => greets(port));
  return { ...server, port, url: `nats://127.0.0.1:${port}` };
}

export interface TestNats {
  readonly url: string;
  readonly port: number;
  readonly storeDir: string;
  /** SIGKILL simulates a crash; the default is an orderly shutdown. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again with the same address and store, stopping it first if it runs. */
  restart(): Promise<void>;
  /** Starts it again with the same address and an empty store. */
  wipe(): Promise<void>;
}

/** A private, real nats-server, ready in about 20 ms. */
export async function startNats({ configuration }: NatsOptions = {}): Promise<TestNats> {
  const { natsBinary } = infrastructureOfThisRun();
  const storeDir = await tempDir();
  const launched = await startNatsServer({ binary: natsBinary, storeDir, configuration });
  const { port, url } = launched;
  let server: NatsServer | undefined = launched;
  // A test that fails before it stops its broker must still end.
  server.unref();
  const stop = async (signal?: NodeJS.Signals) => {
    await server?.stop(signal);
    server = undefined;
  };
  const restart = async () => {
    await stop();
    server = await startNatsServer({ binary: natsBinary, storeDir, port, configuration });
    server.unref();
  };
  const wipe = async () => {
    await stop('SIGKILL');
    await rm(join(storeDir, 'jetstream'), { recursive: true, force: true });
    await restart();
  };
  return { url, port, storeDir, stop, restart, wipe };
}
