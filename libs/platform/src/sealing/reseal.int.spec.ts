import { newId } from '@tire/kernel';
import { createTestDatabase, type TestDatabase } from '@tire/test-harness';
import { randomBytes } from 'node:crypto';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource } from '../database/data-source';
import { Database } from '../database/database';
import { projectTable } from '../database/row-level-security';
import { reseal } from './reseal';
import { sealedColumn } from './sealed-column';
import { readSealingKeys, type SealingKeys } from './sealing';

class Secrets1700000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE secrets (project_id uuid, name text, secret bytea, PRIMARY KEY (project_id, name))');
    await projectTable(queryRunner, 'secrets', 'SELECT, INSERT, UPDATE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE secrets');
  }
}

const COLUMN = sealedColumn({ table: 'secrets', column: 'secret', key: ['project_id', 'name'] });
const ROWS = 450;

const written = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const keysOf = (...texts: string[]): SealingKeys => readSealingKeys(texts.join())!;
const [old, fresh] = [written('old'), written('fresh')];

describe('reseal', () => {
  const [project, other] = [newId(), newId()];
  let testDatabase: TestDatabase;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ name: 'reseal', migrations: [Secrets1700000000000] });
    source = createDataSource({ url: testDatabase.url, poolSize: 2, applicationName: 'reseal-test' });
    await source.initialize();
    database = new Database(source);
  });
  afterAll(async () => {
    await source?.destroy();
    await testDatabase?.drop();
  });
  beforeEach(async () => {
    await database.asSystem((tx) => tx.execute('UPDATE secrets SET secret = NULL'));
  });

  const store = (projectId: string, names: readonly string[], keys: SealingKeys) =>
    database.withProject(projectId, (tx) =>
      tx.execute(
        `INSERT INTO secrets SELECT $1, n, s FROM unnest($2::text[], $3::bytea[]) AS g (n, s)
         ON CONFLICT (project_id, name) DO UPDATE SET secret = excluded.secret`,
        [projectId, names, names.map((name) => COLUMN.seal(keys, { projectId, id: name }, `secret ${name}`))],
      ),
    );
  const stored = (projectId: string) =>
    database.projectQuery<{ name: string; secret: Buffer }>(
      projectId,
      'SELECT name, secret FROM secrets WHERE secret IS NOT NULL ORDER BY name',
    );
  const names = Array.from({ length: ROWS }, (_, index) => `row ${index}`);
  const run = () => reseal(database, keysOf(fresh, old), COLUMN);

  it('moves all rows of all projects to the first key, once', async () => {
    await store(project, names, keysOf(old));
    await store(other, ['row 1'], keysOf(old));
    await store(other, ['row 2'], keysOf(fresh));
    expect(await run()).toEqual({ resealed: ROWS + 1, unopened: 0, left: 0 });
    for (const [projectId, count] of [
      [project, ROWS],
      [other, 2],
    ] as const) {
      const rows = await stored(projectId);
      expect(rows).toHaveLength(count);
      for (const { name, secret } of rows)
        expect(COLUMN.open(keysOf(fresh), { projectId, id: name }, secret).toString()).toBe(`secret ${name}`);
    }
    expect(await run()).toEqual({ resealed: 0, unopened: 0, left: 0 });
  });

  it('goes on after rows that no key opens, and after a row that was copied from another project', async () => {
    await store(project, names.slice(0, 3), keysOf(old));
    await store(project, ['row 3'], keysOf(written('lost')));
    await store(other, ['row 4'], keysOf(old));
    await database.asSystem((tx) =>
      tx.execute(
        `UPDATE secrets SET secret = (SELECT secret FROM secrets WHERE project_id = $1 AND name = 'row 0') WHERE project_id = $2`,
        [project, other],
      ),
    );
    expect(await run()).toMatchObject({ resealed: 3, left: 0 });
    expect(await run()).toMatchObject({ resealed: 0, left: 0 });
  });

  it('finds one row behind many that the first key sealed', async () => {
    await store(project, names, keysOf(fresh));
    await store(project, [names.toSorted().at(-1)!], keysOf(old));
    expect(await run()).toEqual({ resealed: 1, unopened: 0, left: 0 });
  });

  it('moves a row that another transaction refers to', async () => {
    await store(project, names.slice(0, 2), keysOf(old));
    const outcome = await database.withProject(project, async (tx) => {
      await tx.rows(`SELECT 1 FROM secrets WHERE name = 'row 0' FOR KEY SHARE`);
      return run();
    });
    expect(outcome).toEqual({ resealed: 2, unopened: 0, left: 0 });
  });

  it('leaves a row that a service changes to the next run, and does not wait for it', async () => {
    await store(project, names.slice(0, 2), keysOf(old));
    const outcome = await database.withProject(project, async (tx) => {
      await tx.rows(`SELECT 1 FROM secrets WHERE name = 'row 0' FOR UPDATE`);
      return run();
    });
    expect(outcome).toEqual({ resealed: 1, unopened: 0, left: 1 });
    expect(await run()).toEqual({ resealed: 1, unopened: 0, left: 0 });
  });
});
