import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { connect } from 'node:net';
import { eventually } from './eventually';
import { startNats, startNatsServer } from './nats';
import { startPostgres, type Postgres } from './postgres';
import { tempDir } from './scratch';
import { spawnTypeScript } from './typescript-process';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined)).once('error', () => resolve(false));
  });

describe('Postgres', () => {
  let postgres: Postgres | undefined;

  afterEach(async () => {
    await postgres?.stop();
    postgres = undefined;
  });

  it('starts again on its data directory with its data, after a stop and after a kill', async () => {
    const dataDir = join(await tempDir(), 'data');
    postgres = await startPostgres({ dataDir, durable: true, password: "it's % : /" });
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 1 AS number');
    await postgres.stop();
    postgres = await startPostgres({ dataDir, durable: true });
    expect(await query(postgres.url, 'SELECT number FROM kept')).toEqual([{ number: 1 }]);
    await postgres.stop('SIGKILL');
    await access(join(dataDir, 'postmaster.pid'));
    // Postgres does not start while a process of the killed server is alive, which ends by itself.
    postgres = await eventually(() => startPostgres({ dataDir, durable: true }));
    expect(await query(postgres.url, 'SELECT number FROM kept')).toEqual([{ number: 1 }]);
  });

  it('starts over after an interrupted initialization, and refuses a folder with other files', async () => {
    const dataDir = join(await tempDir(), 'data');
    await mkdir(join(dataDir, 'base'), { recursive: true });
    await writeFile(join(dataDir, 'PG_VERSION'), '18');
    postgres = await startPostgres({ dataDir, durable: false });
    const foreign = await tempDir();
    await writeFile(join(foreign, 'thesis.txt'), 'years of work');
    await expect(startPostgres({ dataDir: foreign, durable: false })).rejects.toThrow('not empty');
    await access(join(foreign, 'thesis.txt'));
  });

  it('uses UTF-8, listens on the loopback address only and requires the password', async () => {
    postgres = await startPostgres({ dataDir: join(await tempDir(), 'data'), durable: false });
    const [settings] = await query(
      postgres.url,
      `SELECT current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync`,
    );
    expect(settings).toEqual({ encoding: 'UTF8', addresses: '127.0.0.1', fsync: 'off' });
    const wrong = new URL(postgres.url);
    wrong.password = 'wrong';
    await expect(query(wrong.toString(), 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('reports why it does not start', async () => {
    const dataDir = join(await tempDir(), 'data');
    postgres = await startPostgres({ dataDir, durable: false });
    await expect(startPostgres({ dataDir: join(await tempDir(), 'data'), durable: false, port: postgres.port })).rejects.toThrow(
      'Address already in use',
    );
  });

  it('ends when its launcher is killed', async () => {
    const launcher = spawnTypeScript(join(__dirname, 'postgres-launcher.fixture.ts'), [join(await tempDir(), 'data')]);
    const pid = await new Promise<number>((resolve) => launcher.once('message', (message) => resolve(Number(message))));
    expect(isAlive(pid)).toBe(true);
    launcher.kill('SIGKILL');
    await eventually(() => !isAlive(pid), { message: 'Postgres outlived its launcher' });
  });
});

describe('NATS', () => {
  it('keeps its address over a restart and a wipe', async () => {
    const nats = await startNats();
    await nats.restart();
    expect(await accepts(nats.port)).toBe(true);
    await nats.wipe();
    expect(await accepts(nats.port)).toBe(true);
    await nats.stop('SIGKILL');
    expect(await accepts(nats.port)).toBe(false);
  });

  it('reports a missing program', async () => {
    await expect(startNatsServer({ binary: '/nowhere/nats-server', storeDir: await tempDir() })).rejects.toThrow('cannot be started');
  });
});
