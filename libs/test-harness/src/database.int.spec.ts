import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from './database';

class Notes1700000000000 implements MigrationInterface {
  name = 'Notes1700000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE notes (body text)');
    const [{ role }] = (await queryRunner.query(`SELECT current_setting('app.runtime_role') AS role`)) as [{ role: string }];
    await queryRunner.query(`GRANT SELECT, INSERT ON notes TO "${role}"`);
  }

  async down(): Promise<void> {
    throw new Error('Never taken back');
  }
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  const databases: TestDatabase[] = [];
  const create = async () => {
    const database = await createTestDatabase({ name: 'harness', migrations: [Notes1700000000000] });
    databases.push(database);
    return database;
  };

  afterEach(async () => {
    await Promise.all(databases.splice(0).map((database) => database.drop()));
  });

  it('gives each of several concurrent suites its own database', async () => {
    const [first, second] = await Promise.all([create(), create()]);
    await query(first.url, `INSERT INTO notes VALUES ('first')`);
    expect(await query(first.url, 'SELECT body FROM notes')).toEqual([{ body: 'first' }]);
    expect(await query(second.url, 'SELECT body FROM notes')).toEqual([]);
  });

  it('connects as a role that cannot change the schema or bypass row-level security', async () => {
    const { url, ownerUrl } = await create();
    const attributes = 'SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user';
    const none = [{ rolsuper: false, rolbypassrls: false, rolcreatedb: false }];
    expect(await query(url, attributes)).toEqual(none);
    expect(await query(ownerUrl, attributes)).toEqual(none);
    await expect(query(url, 'CREATE TABLE mine ()')).rejects.toThrow('permission denied');
    await query(ownerUrl, 'ALTER TABLE notes ADD COLUMN added integer');
  });

  it('drops a database that is still in use', async () => {
    const { url, drop } = await createTestDatabase({ name: 'harness', migrations: [Notes1700000000000] });
    const client = new Client({ connectionString: url });
    const ended = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await drop();
    await ended;
    await expect(query(url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});
