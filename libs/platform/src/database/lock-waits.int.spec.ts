import { newId } from '@tire/kernel';
import { createTestDatabase, eventually, type TestDatabase } from '@tire/test-harness';
import { Client } from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource } from './data-source';
import { Database, poolOf } from './database';
import { projectTable } from './row-level-security';
import type { Tx } from './tx';

class Notes1700000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE notes (id uuid PRIMARY KEY, project_id uuid NOT NULL, text text NOT NULL)');
    await projectTable(queryRunner, 'notes', 'SELECT, INSERT, UPDATE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE notes');
  }
}

const [A, B] = [newId(), newId()];
const CONNECTIONS = 4;

const insert = (tx: Tx, projectId: string, text: string) =>
  tx.execute('INSERT INTO notes (id, project_id, text) VALUES ($1, $2, $3)', [newId(), projectId, text]);

describe('units of work that wait for a lock', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let source: DataSource;
  let holder: Client;

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ name: 'platform', migrations: [Notes1700000000000] });
    source = createDataSource({ url: testDatabase.url, poolSize: CONNECTIONS, applicationName: 'platform-test' });
    await source.initialize();
    database = new Database(source);
    await database.withProject(A, (tx) => insert(tx, A, 'a1'));
    await database.withProject(B, (tx) => insert(tx, B, 'b1'));
    holder = new Client({ connectionString: testDatabase.ownerUrl });
    await holder.connect();
    await holder.query(`SELECT set_config('app.scope', 'system', false)`);
  });

  afterAll(async () => {
    await holder?.end();
    if (source?.isInitialized) await source.destroy();
    await testDatabase?.drop();
  });

  const inUse = () => poolOf(source).totalCount - poolOf(source).idleCount;
  const lock = (tx: Tx) => tx.rows(`SELECT id FROM notes WHERE text = 'a1' FOR UPDATE`);
  const blocked = async (count: number, start: (index: number) => Promise<unknown[]>) => {
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM notes WHERE text = 'a1' FOR UPDATE`);
    return Array.from({ length: count }, (_, index) => start(index));
  };
  const release = () => holder.query('ROLLBACK');
  const expectOthersServed = async () => {
    for (let reads = 0; reads < 5; reads += 1)
      expect(await database.withProject(B, (tx) => tx.rows('SELECT id FROM notes'))).toHaveLength(1);
  };

  it('hold one connection for one record, and all get their turn', async () => {
    const works = await blocked(40, () => database.withRecord(A, 'a1', lock));
    await eventually(() => inUse() === 1);
    await expectOthersServed();
    expect(inUse()).toBe(1);
    await release();
    expect((await Promise.all(works)).every((rows) => rows.length === 1)).toBe(true);
  });

  it('hold half of the connections for one project', async () => {
    const works = await blocked(40, (index) => database.withRecord(A, `record ${index}`, lock));
    await eventually(() => inUse() === CONNECTIONS / 2);
    await expectOthersServed();
    expect(inUse()).toBe(CONNECTIONS / 2);
    await release();
    await Promise.all(works);
  });

  it('are refused as unavailable when the lock does not come in time, and their connection stays', async () => {
    const waits = (tx: Tx) => tx.execute(`SET LOCAL lock_timeout = '50ms'`).then(() => lock(tx));
    let lost = 0;
    const count = () => (lost += 1);
    poolOf(source).on('remove', count);
    const [refused] = await blocked(1, () => database.withRecord(A, 'a1', waits));
    await expect(refused).rejects.toMatchObject({ code: 'service_unavailable', cause: { code: '55P03' } });
    await release();
    poolOf(source).off('remove', count);
    expect(lost).toBe(0);
  });

  it('are refused as unavailable when their turn does not come before the deadline', async () => {
    const works = await blocked(1, () => database.withRecord(A, 'a1', lock));
    const late = database.withRecord(A, 'a1', lock, performance.now() + 50);
    await expect(late).rejects.toMatchObject({ code: 'service_unavailable' });
    await release();
    await Promise.all(works);
  });
});
