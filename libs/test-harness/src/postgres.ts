import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from './eventually';
import { ensurePostgresBinaries } from './postgres-binaries';
import { freePort } from './scratch';
import { launch, untilReady, type ServerProcess } from './server-process';
import { canEnter, scratchRoot, serverUser, type User } from './unprivileged';

export interface Postgres extends ServerProcess {
  /** The superuser's address. */
  readonly url: string;
  readonly port: number;
}

export interface PostgresOptions {
  /** Created and initialized if it does not exist. A second start on it is fast. */
  dataDir: string;
  port?: number;
  /** True: survives a power cut. False: quick, for data that a test throws away. */
  durable: boolean;
  /** The password of the superuser for a new data directory. Default: a random one. A file beside the directory stores it. */
  password?: string;
  /** Further settings, as `name=value`. */
  settings?: readonly string[] | undefined;
}

const SUPERUSER = 'postgres';
const FLEETING = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'];
/** Six services and their pools, or two Jest workers and theirs. */
const CONNECTIONS_MAX = 200;

/**
 * The path by which Postgres reaches its data directory. If its user may not enter the folders above (a checkout under /root), it gets
 * an open descriptor of the folder and changes into it once.
 */
async function openDataDir(dataDir: string, user: User | undefined) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (user) await chown(dataDir, user.uid, user.gid);
  const handle = canEnter(dirname(await realpath(dataDir)), user) ? undefined : await open(dataDir, 'r');
  return { handle, path: handle ? '/proc/self/fd/3' : await realpath(dataDir) };
}

type OpenDataDir = Awaited<ReturnType<typeof openDataDir>>;

const exists = (path: string) =>
  readFile(path).then(
    () => true,
    () => false,
  );

async function initialize(bin: string, { handle, path }: OpenDataDir, password: string, user: User | undefined): Promise<void> {
  const passwordFile = join(scratchRoot(user), `tire-${randomBytes(12).toString('hex')}`);
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
  try {
    if (user) await chown(passwordFile, user.uid, user.gid);
    const locale = ['--locale=C.UTF-8', '--encoding=UTF8'];
    const args = ['-D', path, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...locale, '--no-sync'];
    const child = spawn(join(bin, 'initdb'), args, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe', handle?.fd ?? 'ignore'] });
    let output = '';
    child.stdout!.on('data', (chunk) => (output += String(chunk)));
    child.stderr!.on('data', (chunk) => (output += String(chunk)));
    const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    if (code !== 0) throw new Error(`initdb failed with code ${code}:\n${output}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Removes what an interrupted initialization left: a cluster that has never run. initdb refuses a folder with files. */
async function discardHalfMade(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir);
  if (!entries.includes('PG_VERSION') || entries.includes('postmaster.opts')) return;
  await Promise.all(entries.map((entry) => rm(join(dataDir, entry), { recursive: true })));
}

/** A killed server leaves its pid file. If another program has that pid by now, Postgres would refuse to start. */
async function clearStalePid(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const folder = await realpath(dataDir);
  const ended = async () => {
    const [pid] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
    if (!pid) return true;
    if (process.platform !== 'linux') return true;
    return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) !== folder;
  };
  await eventually(ended, { timeoutMs: 15_000, message: `Postgres is already running on ${dataDir}` });
  if (process.platform === 'linux') await rm(pidFile, { force: true });
}

export async function startPostgres({
  dataDir,
  port: wantedPort,
  durable,
  password,
  settings: further = [],
}: PostgresOptions): Promise<Postgres> {
  const user = serverUser();
  const bin = await ensurePostgresBinaries(user);
  const folder = await openDataDir(dataDir, user);
  const passwordFile = `${dataDir}.password`;
  const logFile = `${dataDir}.log`;
  try {
    // The password file is written last, so it marks a complete initialization.
    if (!(await exists(passwordFile))) {
      await discardHalfMade(dataDir);
      const secret = password ?? randomBytes(24).toString('hex');
      await initialize(bin, folder, secret, user);
      await writeFile(passwordFile, secret, { mode: 0o600 });
    }
    await clearStalePid(dataDir);
    const port = wantedPort ?? (await freePort());
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      `max_connections=${CONNECTIONS_MAX}`,
      'timezone=UTC',
      ...(durable ? [] : FLEETING),
      ...further,
    ];
    const server = launch({
      command: join(bin, 'postgres'),
      args: ['-D', folder.path, ...settings.flatMap((setting) => ['-c', setting])],
      logFile,
      // SIGINT: a checkpoint and an orderly end without waiting for clients. SIGQUIT: an immediate end, for data of tests.
      stopSignal: durable ? 'SIGINT' : 'SIGQUIT',
      user,
      directoryFd: folder.handle?.fd,
    });
    const ready = async () => /^ready\s*$/m.test(await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => ''));
    await untilReady(server, 'Postgres', logFile, ready);
    const secret = encodeURIComponent(await readFile(passwordFile, 'utf8'));
    return { ...server, port, url: `postgres://${SUPERUSER}:${secret}@127.0.0.1:${port}/postgres` };
  } finally {
    await folder.handle?.close();
  }
}
