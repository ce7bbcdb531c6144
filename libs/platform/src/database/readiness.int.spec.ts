import {
  createTestDatabase,
  eventually,
  freePort,
  type Postgres,
  startPostgres,
  startStallingProxy,
  tempDir,
  type TestDatabase,
} from '@tire/test-harness';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { HealthRegistry } from '../health/health.registry';
import { closeServices, First1700000000000, service } from '../testing/service.fixture';

afterEach(() => closeServices());

describe('an edge', () => {
  let folder: string;
  let postgres: Postgres;

  beforeAll(async () => {
    folder = await tempDir();
    postgres = await startPostgres({ dataDir: join(folder, 'data'), port: await freePort(), durable: false });
    const superuser = new Client({ connectionString: postgres.url });
    await superuser.connect();
    await superuser.query(`CREATE ROLE edge LOGIN PASSWORD 'pw'`);
    await superuser.end();
  });

  afterAll(async () => {
    await postgres?.stop('SIGQUIT');
    await rm(folder, { recursive: true, force: true });
  });

  it('that started with the database stays ready without it, and a new one does not become ready', async () => {
    const proxy = await startStallingProxy(Number(new URL(postgres.url).port));
    try {
      const url = `postgres://edge:pw@127.0.0.1:${proxy.port}/postgres`;
      const old = await service(url, [], true);
      await old.until(200);
      proxy.stall();
      // The server accepts connections and answers nothing: the check ends by its own limit, and the service stays ready.
      await old.until(200, /no answer within|timeout/i);
      await expect(old.database.systemQuery('SELECT 1')).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(await old.app.get(HealthRegistry).isReady()).toBe(true);
      const fresh = await service(url, [], true);
      await fresh.until(503, /not connected/);
      proxy.resume();
      for (const either of [old, fresh]) {
        await either.until(200);
        await eventually(() =>
          either.app.get(HealthRegistry).checkOf('database')!().then(
            () => true,
            () => false,
          ),
        );
      }
    } finally {
      await proxy.stop();
    }
  });
});

describe('a pool whose connections are all at work', () => {
  let testDatabase: TestDatabase;

  beforeEach(async () => {
    testDatabase = await createTestDatabase({ name: 'busy', migrations: [First1700000000000] });
  });

  afterEach(() => testDatabase.drop());

  it('is no reason to be unready while Postgres answers, and is one when it does not', async () => {
    const { until, app, database } = await service(testDatabase.url, [First1700000000000]);
    await until(200);
    const check = app.get(HealthRegistry).checkOf('database')!;
    const statement = (seconds: number) => database.asSystem((tx) => tx.execute(`SELECT pg_sleep(${seconds})`));
    // Two connections: the last of these waits for 3 s.
    const work = Array.from({ length: 30 }, () => statement(0.2));
    const ended = Promise.allSettled(work);
    await work[1];
    await check();
    await ended;
    const slow = Promise.allSettled([statement(6), statement(6)]);
    await eventually(() =>
      check().then(
        () => false,
        () => true,
      ),
    );
    await slow;
    await check();
  });
});
