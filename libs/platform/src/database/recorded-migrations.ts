import { createHash } from 'node:crypto';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { grantRuntime } from './row-level-security';
import { type MigrationClass, migrationName, rowsOf } from './schema-revision';

/** A migration that leaves a digest of its statements in the database. */
interface RecordedMigration extends MigrationClass {
  digest(): Promise<string>;
  statements(): Promise<string[]>;
}

interface Sent {
  readonly statement: string;
  readonly parameters: unknown[];
}

/** The statements that it sends, those of its helpers included; the width of a space does not count. Every installation has another role: here it has one name. */
async function sentBy(migration: MigrationInterface): Promise<Sent[]> {
  const sent: Sent[] = [];
  const query = (statement: string, parameters: unknown[] = []): Promise<unknown> => {
    sent.push({ statement: statement.replaceAll(/\s+/g, ' ').trim(), parameters });
    return Promise.resolve([{ role: 'runtime' }]);
  };
  await migration.up({ query } as unknown as QueryRunner);
  return sent;
}

async function digestOf(migration: MigrationInterface): Promise<string> {
  const hash = createHash('sha256');
  for (const { statement, parameters } of await sentBy(migration)) hash.update(JSON.stringify([statement, parameters]));
  return hash.digest('hex');
}

function record(Migration: MigrationClass): RecordedMigration {
  return class implements MigrationInterface {
    readonly name = migrationName(Migration);
    private readonly migration = new Migration();

    static digest = (): Promise<string> => digestOf(new Migration());
    static statements = async (): Promise<string[]> => (await sentBy(new Migration())).map(({ statement }) => statement);
    /** The test harness tells migrations apart by their text. */
    static toString = (): string => Migration.toString();

    /** In the transaction of the migration, so that no crash leaves one without its digest. */
    async up(queryRunner: QueryRunner): Promise<void> {
      await this.migration.up(queryRunner);
      await queryRunner.query('CREATE TABLE IF NOT EXISTS migration_digests (name text PRIMARY KEY, digest text NOT NULL)');
      await grantRuntime(queryRunner, 'migration_digests', 'SELECT');
      await queryRunner.query('INSERT INTO migration_digests (name, digest) VALUES ($1, $2)', [this.name, await digestOf(this.migration)]);
    }

    async down(queryRunner: QueryRunner): Promise<void> {
      await this.migration.down(queryRunner);
      await queryRunner.query('DELETE FROM migration_digests WHERE name = $1', [this.name]);
    }
  };
}

/**
 * The migrations of a service. A name alone does not tell whether a database has the schema of this build: until the first release the
 * initial migration changes and keeps its name.
 */
export const recordedMigrations = (migrations: readonly MigrationClass[]): MigrationClass[] => migrations.map(record);

const isRecorded = (migration: MigrationClass): migration is RecordedMigration => 'digest' in migration;

/** None of a migration that is not recorded. */
export const statementsOf = async (migration: MigrationClass): Promise<string[]> => (isRecorded(migration) ? migration.statements() : []);

/** The applied migrations that had other statements in the build that applied them. */
export async function changedMigrations(source: DataSource, migrations: readonly MigrationClass[]): Promise<string[]> {
  const applied = new Set((await rowsOf<{ name: string }>(source, 'SELECT name FROM migrations')).map(({ name }) => name));
  const rows = await rowsOf<{ name: string; digest: string }>(source, 'SELECT name, digest FROM migration_digests');
  const digests = new Map(rows.map(({ name, digest }) => [name, digest]));
  const changed: string[] = [];
  for (const migration of migrations.filter(isRecorded)) {
    const name = migrationName(migration);
    if (applied.has(name) && digests.get(name) !== (await migration.digest())) changed.push(name);
  }
  return changed;
}
