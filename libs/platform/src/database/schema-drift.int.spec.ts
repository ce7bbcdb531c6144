import { createTestDatabase, type TestDatabase } from '@tire/test-harness';
import { Client } from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { DatabaseConnection } from './connection';
import { createDataSource } from './data-source';
import { recordedMigrations } from './recorded-migrations';
import { grantRuntime, projectTable } from './row-level-security';
import { declaredBy, schemaDrift } from './schema-drift';

class First1700000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE things (id uuid PRIMARY KEY, project_id uuid NOT NULL, name text)');
    await queryRunner.query('CREATE TABLE counts (id int PRIMARY KEY, value int, at timestamptz)');
    await projectTable(queryRunner, 'things', 'SELECT, INSERT, UPDATE (name)');
    await grantRuntime(queryRunner, 'counts', 'SELECT, UPDATE (value, at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE things, counts');
  }
}

class Second1700000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await grantRuntime(queryRunner, 'counts', 'DELETE');
  }

  async down(): Promise<void> {}
}

it('reads what the migrations declare', () => {
  const { grants, tables, guarded } = declaredBy([
    'CREATE TABLE "a" (id int)',
    'ALTER TABLE "a" ENABLE ROW LEVEL SECURITY',
    'ALTER TABLE "a" FORCE ROW LEVEL SECURITY',
    'GRANT SELECT, UPDATE (b, c) ON "a" TO "runtime"',
    'GRANT SELECT ON migrations TO "runtime"',
    'GRANT DELETE ON "d" TO "runtime"',
  ]);
  expect([...grants]).toEqual(['a SELECT', 'a.b UPDATE', 'a.c UPDATE', 'd DELETE']);
  expect(tables).toEqual(['a', 'd']);
  expect(guarded).toEqual(['a']);
});

describe('a database of other hands', () => {
  const migrations = recordedMigrations([First1700000000000, Second1700000001000]);
  const [first] = migrations;
  let database: TestDatabase;
  let owner: Client;
  let source: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase({ name: 'drift', migrations });
    owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    source = createDataSource({ url: database.url, poolSize: 2, applicationName: 'drift' });
    await source.initialize();
  });

  afterEach(async () => {
    await source.destroy();
    await owner.end();
    await database.drop();
  });

  const role = 'current_setting_role';
  /** As a database administrator, by hand. */
  const byHand = async (statement: string): Promise<void> => {
    const { username } = new URL(database.url);
    await owner.query(statement.replaceAll(role, username));
  };
  const NOTHING = { newer: [], missing: [], excess: [] };

  it.each<[string, string[], object]>([
    ['nothing', [], {}],
    ['a revoked privilege', [`REVOKE SELECT ON counts FROM ${role}`], { missing: ['counts SELECT'] }],
    ['a revoked privilege of one column', [`REVOKE UPDATE (at) ON counts FROM ${role}`], { missing: ['counts.at UPDATE'] }],
    [
      'more than the migrations grant',
      [`GRANT ALL ON counts TO ${role}`],
      { excess: ['counts INSERT', 'counts UPDATE', 'counts TRUNCATE'] },
    ],
    ['a table that is gone', ['DROP TABLE counts'], {}],
    [
      'a migration of a newer release',
      [`INSERT INTO migrations (timestamp, name) VALUES (1700000002000, 'Third1700000002000')`],
      { newer: ['Third1700000002000'] },
    ],
  ])('differs by %s', async (_what, statements, drift) => {
    for (const statement of statements) await byHand(statement);
    expect(await schemaDrift(source, migrations)).toEqual({ ...NOTHING, ...drift });
    await new DatabaseConnection(source, migrations).check();
  });

  it('is newer for the release before', async () => {
    expect(await schemaDrift(source, [first!])).toMatchObject({ newer: ['Second1700000001000'], excess: [] });
  });

  it.each(['DISABLE', 'NO FORCE'])('is refused where the row-level security of a table of projects is %sd', async (how) => {
    await byHand(`ALTER TABLE things ${how} ROW LEVEL SECURITY`);
    await expect(new DatabaseConnection(source, migrations).check()).rejects.toThrow('row-level security is off: things');
  });
});
