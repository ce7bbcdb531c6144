import { createTestDatabase, type TestDatabase } from '@tire/test-harness';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { DatabaseConnection } from './connection';
import { createDataSource } from './data-source';
import { migrate } from './migrate-command';
import { recordedMigrations } from './recorded-migrations';
import { projectTable } from './row-level-security';
import type { MigrationClass } from './schema-revision';

const THINGS = 'CREATE TABLE things (id uuid PRIMARY KEY, project_id uuid NOT NULL)';

/** The initial migration of a build. Its name is always the same. */
const initial = (statement: string): MigrationClass =>
  class implements MigrationInterface {
    readonly name = 'First1700000000000';

    /** The test harness makes a template for each text. */
    static toString = (): string => statement;

    async up(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query(statement);
      await projectTable(queryRunner, 'things', 'SELECT, INSERT');
    }

    async down(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query('DROP TABLE things');
    }
  };

class Second1700000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE things ADD COLUMN name text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE things DROP COLUMN name');
  }
}

describe('a database whose initial migration', () => {
  const ours = recordedMigrations([initial(THINGS), Second1700000001000]);
  const databases: TestDatabase[] = [];
  const sources: DataSource[] = [];

  async function madeBy(migrations: MigrationClass[]): Promise<TestDatabase> {
    const database = await createTestDatabase({ name: 'build', migrations });
    databases.push(database);
    return database;
  }

  const migrateBy = (migrations: MigrationClass[], { ownerUrl: url }: TestDatabase) =>
    migrate({ name: 'x', migrations }, { url, runtimeRole: 'tire_runtime' }, () => undefined);

  /** Readiness of a service with these migrations. */
  async function readiness({ url }: TestDatabase, migrations: MigrationClass[]): Promise<void> {
    const source = createDataSource({ url, poolSize: 1, applicationName: 'build' });
    sources.push(source);
    await source.initialize();
    await new DatabaseConnection(source, migrations).check();
  }

  afterEach(async () => {
    await Promise.all(sources.splice(0).map((source) => source.destroy()));
    await Promise.all(databases.splice(0).map((database) => database.drop()));
  });

  it.each([
    ['had other statements', () => recordedMigrations([initial('CREATE TABLE things (project_id uuid NOT NULL)')])],
    ['left no digest', () => [initial(THINGS)]],
  ])('%s is not ready, and gets no further migration', async (_what, theirs) => {
    const database = await madeBy(theirs());
    await expect(readiness(database, ours.slice(0, 1))).rejects.toThrow(
      'schema is of another build: First1700000000000 had other statements',
    );
    await expect(migrateBy(ours, database)).rejects.toThrow('made by another build, in which First1700000000000 had other statements');
    await expect(readiness(database, ours)).rejects.toThrow('schema is behind: Second1700000001000 not applied');
  });

  it('had another layout and other roles is that of this build', async () => {
    const database = await madeBy(recordedMigrations([initial(THINGS.replaceAll(' ', '\n  '))]));
    expect(await migrateBy(ours, database)).toEqual(['Second1700000001000']);
    await readiness(database, ours);
  });

  it('was applied by a neighbouring release is ready for both', async () => {
    const database = await madeBy(ours);
    await readiness(database, ours.slice(0, 1));
    await readiness(database, ours);
  });
});
