import { newId } from '@tire/kernel';
import { createTestDatabase, eventually, freePort, type Postgres, startPostgres, tempDir, type TestDatabase } from '@tire/test-harness';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MADE_BY_ANOTHER_BUILD, migrate, runMigrateCommand } from './migrate-command';
import { recordedMigrations } from './recorded-migrations';
import { closeServices, First1700000000000, service } from '../testing/service.fixture';

class Second1700000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE things ADD COLUMN name text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE things DROP COLUMN name');
  }
}

afterEach(() => closeServices());

describe('a service and its Postgres', () => {
  let folder: string;
  let postgres: Postgres | undefined;

  beforeAll(async () => {
    folder = await tempDir();
  });

  afterAll(async () => {
    await postgres?.stop('SIGQUIT');
    await rm(folder, { recursive: true, force: true });
  });

  it('listens without it, becomes ready with it, and recovers after its crash', async () => {
    const port = await freePort();
    const roles = { owner: 'lifecycle_owner', runtime: 'lifecycle_runtime' };
    const urlOf = (role: string) => `postgres://${role}:pw@127.0.0.1:${port}/postgres`;
    const { until, database, base } = await service(urlOf(roles.runtime), [First1700000000000]);

    await until(503, /not connected/);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);

    const start = () => startPostgres({ dataDir: join(folder, 'data'), port, durable: true });
    postgres = await start();
    const superuser = new Client({ connectionString: postgres.url });
    await superuser.connect();
    for (const role of Object.values(roles)) await superuser.query(`CREATE ROLE ${role} LOGIN PASSWORD 'pw'`);
    await superuser.query(`GRANT CREATE ON SCHEMA public TO ${roles.owner}`);
    await superuser.end();
    await until(503, /First1700000000000 not applied/);

    await migrate(
      { name: 'lifecycle', migrations: [First1700000000000] },
      { url: urlOf(roles.owner), runtimeRole: roles.runtime },
      () => undefined,
    );
    await until(200);
    const ask = () => database.projectQuery(newId(), 'SELECT id FROM things');
    expect(await ask()).toEqual([]);

    await postgres.stop('SIGQUIT');
    await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(database.withProject(newId(), (tx) => tx.rows('SELECT 1'))).rejects.toMatchObject({ code: 'service_unavailable' });
    await until(503);

    postgres = await start();
    await until(200);
    expect(await ask()).toEqual([]);
  });
});

describe('the schema revision', () => {
  let testDatabase: TestDatabase;

  beforeEach(async () => {
    testDatabase = await createTestDatabase({ name: 'revision', migrations: [First1700000000000] });
  });

  afterEach(() => testDatabase.drop());

  it('decides readiness: a schema that is behind is not ready', async () => {
    const { until } = await service(testDatabase.url, [First1700000000000, Second1700000001000]);
    await until(503, /Second1700000001000 not applied/);
    const settings = { url: testDatabase.ownerUrl, runtimeRole: 'tire_runtime' };
    await migrate({ name: 'x', migrations: [First1700000000000, Second1700000001000] }, settings, () => undefined);
    await until(200);
  });

  it('may be ahead of the code', async () => {
    const settings = { url: testDatabase.ownerUrl, runtimeRole: 'tire_runtime' };
    await migrate({ name: 'x', migrations: [First1700000000000, Second1700000001000] }, settings, () => undefined);
    const { until } = await service(testDatabase.url, [First1700000000000]);
    await until(200);
  });
});

it('a role that bypasses row-level security is not ready', async () => {
  const testDatabase = await createTestDatabase({ name: 'bypass', migrations: [First1700000000000] });
  const owner = new Client({ connectionString: process.env['TIRE_TEST_POSTGRES_URL'] });
  await owner.connect();
  const url = new URL(testDatabase.url);
  try {
    await owner.query(`CREATE ROLE bypassing LOGIN BYPASSRLS PASSWORD '${decodeURIComponent(url.password)}' IN ROLE tire_runtime`);
    url.username = 'bypassing';
    const { until } = await service(url.toString(), [First1700000000000]);
    await until(503, /bypasses row-level security/);
    await closeServices();
  } finally {
    await testDatabase.drop();
    await owner.query('DROP ROLE IF EXISTS bypassing');
    await owner.end();
  }
});

describe('the migrate command', () => {
  let testDatabase: TestDatabase;
  const migrations = [First1700000000000, Second1700000001000];

  beforeEach(async () => {
    testDatabase = await createTestDatabase({ name: 'migrate', migrations: [] });
  });

  afterEach(() => testDatabase.drop());

  const run = async () => {
    const lines: string[] = [];
    await migrate({ name: 'x', migrations }, { url: testDatabase.ownerUrl, runtimeRole: 'tire_runtime' }, (line) => lines.push(line));
    return lines;
  };

  it('reports what it did, and does nothing the second time', async () => {
    expect(await run()).toEqual(['applied First1700000000000', 'applied Second1700000001000']);
    expect(await run()).toEqual(['nothing to apply']);
  });

  it('says why it waits, from the first attempt, and then does its work', async () => {
    const [port, serverPort] = [await freePort(), Number(new URL(testDatabase.ownerUrl).port)];
    const url = new URL(testDatabase.ownerUrl);
    url.port = String(port);
    const lines: string[] = [];
    const run = migrate({ name: 'x', migrations }, { url: url.href, runtimeRole: 'tire_runtime' }, (line) => lines.push(line));
    await eventually(() => lines.length > 0);
    expect(lines).toEqual([expect.stringMatching(`^waiting for Postgres: .*ECONNREFUSED.*${port}`)]);
    const server = createServer((client) => void client.pipe(connect(serverPort, '127.0.0.1')).pipe(client)).listen(port, '127.0.0.1');
    try {
      expect(await run).toHaveLength(2);
    } finally {
      server.close();
    }
  });

  it('may be run by several at once', async () => {
    const lines = (await Promise.all([run(), run(), run()])).flat();
    expect(lines.filter((line) => line.startsWith('applied'))).toHaveLength(2);
    expect(lines.filter((line) => line === 'nothing to apply')).toHaveLength(2);
  });

  describe('as a program', () => {
    const environment = { ...process.env };
    let out: string;

    beforeEach(() => {
      out = '';
      const keep = (text: unknown): boolean => ((out += String(text)), true);
      jest.spyOn(process.stdout, 'write').mockImplementation(keep);
      jest.spyOn(process.stderr, 'write').mockImplementation(keep);
    });

    afterEach(() => {
      jest.restoreAllMocks();
      process.env = { ...environment };
      process.exitCode = undefined;
    });

    it('reads its own account from the environment and prints what it did', async () => {
      Object.assign(process.env, { MIGRATION_DATABASE_URL: testDatabase.ownerUrl, DATABASE_RUNTIME_ROLE: 'tire_runtime' });
      await runMigrateCommand({ name: 'ledger', migrations });
      expect(out).toBe('ledger: applied First1700000000000\nledger: applied Second1700000001000\n');
      expect(process.exitCode).toBeUndefined();
    });

    it('says what to do with the database of another build', async () => {
      await run();
      Object.assign(process.env, { MIGRATION_DATABASE_URL: testDatabase.ownerUrl, DATABASE_RUNTIME_ROLE: 'tire_runtime' });
      await runMigrateCommand({ name: 'ledger', migrations: recordedMigrations(migrations) });
      const both = migrations.map(({ name }) => name).join(', ');
      const reason = `${MADE_BY_ANOTHER_BUILD}, in which ${both} had other statements. Use that build, or an empty database.`;
      expect(out.split('\n')).toContain(`ledger: migration failed: ${reason}`);
      expect(process.exitCode).toBe(1);
    });

    it('prints the errors of its environment and fails', async () => {
      Object.assign(process.env, { MIGRATION_DATABASE_URL: 'mysql://u:hunter2@db', DATABASE_RUNTIME_ROLE: 'a; DROP' });
      await runMigrateCommand({ name: 'ledger', migrations });
      expect(out).toMatch(/^ledger: migration failed: .*MIGRATION_DATABASE_URL: .*DATABASE_RUNTIME_ROLE: /);
      expect(out).not.toContain('hunter2');
      expect(process.exitCode).toBe(1);
    });
  });

  it('rolls back a failing migration, and keeps the earlier ones', async () => {
    class Fails1700000002000 implements MigrationInterface {
      async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query('CREATE TABLE half (id int)');
        await queryRunner.query('SELECT nonsense');
      }

      down(): Promise<void> {
        return Promise.resolve();
      }
    }
    const failing = migrate(
      { name: 'x', migrations: [...migrations, Fails1700000002000] },
      { url: testDatabase.ownerUrl, runtimeRole: 'tire_runtime' },
      () => undefined,
    );
    await expect(failing).rejects.toThrow('nonsense');
    const owner = new Client({ connectionString: testDatabase.ownerUrl });
    await owner.connect();
    try {
      const { rows } = await owner.query(`SELECT to_regclass('half') AS half, (SELECT count(*)::int FROM migrations) AS applied`);
      expect(rows).toEqual([{ half: null, applied: 2 }]);
    } finally {
      await owner.end();
    }
    expect(await run()).toEqual(['nothing to apply']);
  });
});
