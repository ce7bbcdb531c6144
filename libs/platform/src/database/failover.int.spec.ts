import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { newId } from '@tire/kernel';
import { eventually, freePort, type Postgres, startPostgres, tempDir } from '@tire/test-harness';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startService } from '../service/run-service';
import { Database } from './database';
import { DatabaseModule } from './database.module';

const WRITERS = 4;

/** One address whose server changes, as a name or a virtual address moves to another machine. */
class MovingAddress {
  private readonly clients = new Set<Socket>();
  private readonly server: Server = createServer((client) => {
    this.clients.add(client.on('error', () => undefined).on('close', () => this.clients.delete(client)));
    const upstream = connect(this.target, '127.0.0.1').on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client
      .on('close', () => upstream.destroy())
      .pipe(upstream)
      .pipe(client);
  });

  private constructor(private target: number) {}

  static async leadingTo(port: number): Promise<MovingAddress> {
    const address = new MovingAddress(port);
    await once(address.server.listen(0, '127.0.0.1'), 'listening');
    return address;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  moveTo(port: number): void {
    this.target = port;
    for (const client of this.clients) client.destroy();
  }

  close(): void {
    this.moveTo(0);
    this.server.close();
  }
}

async function asSuperuser<Row extends object>({ url }: Postgres, ...statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

describe('a Postgres with a synchronous standby', () => {
  let folder: string;
  let primary: Postgres;
  let standby: Postgres;
  let address: MovingAddress;
  let app: NestFastifyApplication;
  let database: Database;

  /** The standby begins with a copy of the primary at rest, and follows it from there. */
  async function startPair(): Promise<void> {
    const [port, standbyPort] = [await freePort(), await freePort()];
    const [first, second] = [join(folder, 'primary'), join(folder, 'standby')];
    primary = await startPostgres({ dataDir: first, port, durable: true, password: 'secret' });
    await asSuperuser(
      primary,
      `CREATE ROLE app LOGIN PASSWORD 'pw'`,
      'CREATE TABLE entries (id uuid PRIMARY KEY)',
      'GRANT SELECT, INSERT ON entries TO app',
    );
    await primary.stop();
    for (const name of ['', '.password']) await promisify(execFile)('cp', ['-a', first + name, second + name]);
    await writeFile(join(second, 'standby.signal'), '');
    await appendFile(
      join(second, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=secret'\n`,
    );
    primary = await startPostgres({ dataDir: first, port, durable: true });
    standby = await startPostgres({ dataDir: second, port: standbyPort, durable: true });
    await asSuperuser(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
    await eventually(async () => (await asSuperuser(primary, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)).length === 1);
  }

  beforeAll(async () => {
    folder = await tempDir();
    await startPair();
    address = await MovingAddress.leadingTo(primary.port);
    const module = DatabaseModule.forRoot({
      url: `postgres://app:pw@127.0.0.1:${address.port}/postgres`,
      poolSize: WRITERS,
      applicationName: 'failover',
      migrations: [],
    });
    app = await startService({ name: 'failover', module: () => module }, { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0 });
    database = app.get(Database);
    await eventually(() => database.dataSource.isInitialized);
  });

  afterAll(async () => {
    await app?.close();
    address?.close();
    await Promise.all([primary, standby].map((server) => server?.stop('SIGQUIT')));
    await rm(folder, { recursive: true, force: true });
  });

  it('loses no confirmed write when it is replaced by the standby, and the service writes on by itself', async () => {
    const confirmed: string[] = [];
    const refusals = new Set<string>();
    let ending = false;
    /** Repeats a write until it is confirmed, as every caller of the services does with the id of its work. */
    const write = async (id: string): Promise<void> => {
      const insert = () => database.asSystem((tx) => tx.execute('INSERT INTO entries VALUES ($1) ON CONFLICT DO NOTHING', [id]));
      for (;;) {
        const refusal = await insert().then(
          () => undefined,
          ({ code, message }: { code?: string; message: string }) => code ?? message,
        );
        if (refusal === undefined) return void confirmed.push(id);
        refusals.add(refusal);
      }
    };
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!ending) await write(newId());
    });
    await eventually(() => confirmed.length > 50);
    await primary.stop('SIGKILL');
    address.moveTo(standby.port);
    // The address may lead to the standby before it is the primary.
    await eventually(() => refusals.size > 0);
    const before = confirmed.length;
    await asSuperuser(standby, 'SELECT pg_promote()');
    await eventually(() => confirmed.length > before + 50, { message: 'The service does not write on' });
    ending = true;
    await Promise.all(writers);
    // The only refusal says that the caller may try again.
    expect([...refusals]).toEqual(['service_unavailable']);
    const rows = await asSuperuser<{ id: string }>(standby, 'SELECT id FROM entries');
    expect(rows.map(({ id }) => id).sort()).toEqual([...confirmed].sort());
  });
});
