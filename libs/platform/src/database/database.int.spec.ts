import { DomainError, newId } from '@tire/kernel';
import { createTestDatabase, eventually, type TestDatabase } from '@tire/test-harness';
import { Client } from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { afterCommit } from './after-commit';
import { createDataSource } from './data-source';
import { Database, poolOf } from './database';
import { prepared, type Tx } from './tx';
import { forbidChange, grantRuntime, projectTable } from './row-level-security';

class Notes1700000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE notes (id uuid PRIMARY KEY, project_id uuid NOT NULL, text text NOT NULL, at timestamptz)');
    await projectTable(queryRunner, 'notes', 'SELECT, INSERT, UPDATE, DELETE');
    await queryRunner.query(
      `CREATE TABLE facts (id uuid PRIMARY KEY, project_id uuid NOT NULL, body bytea NOT NULL,
                           note_id uuid REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)`,
    );
    await projectTable(queryRunner, 'facts', 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE');
    await forbidChange(queryRunner, 'facts');
    await queryRunner.query('CREATE TABLE settings (name text PRIMARY KEY)');
    await grantRuntime(queryRunner, 'settings', 'SELECT');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE facts, notes, settings');
  }
}

const [A, B] = [newId(), newId()];
const NOTES = 'SELECT id, text FROM notes ORDER BY text';

const insert = (tx: Tx, projectId: string, text: string) =>
  tx.execute('INSERT INTO notes (id, project_id, text) VALUES ($1, $2, $3)', [newId(), projectId, text]);

describe('Database', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let source: DataSource;

  /** One connection, so that the next user meets what the last one left behind. */
  const connect = async (poolSize: number): Promise<void> => {
    source = createDataSource({ url: testDatabase.url, poolSize, applicationName: 'platform-test' });
    await source.initialize();
    database = new Database(source);
  };

  const write = (projectId: string, text: string) => database.withProject(projectId, (tx) => insert(tx, projectId, text));

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ name: 'platform', migrations: [Notes1700000000000] });
    await connect(1);
    await write(A, 'a1');
    await write(A, 'a2');
    await write(B, 'b1');
  });

  afterAll(async () => {
    if (source?.isInitialized) await source.destroy();
    await testDatabase?.drop();
  });

  describe('withProject', () => {
    it("shows and counts only that project's rows", async () => {
      expect(await database.withProject(A, (tx) => tx.rows(NOTES))).toHaveLength(2);
      expect(await database.withProject(B, (tx) => tx.rows(NOTES))).toMatchObject([{ text: 'b1' }]);
      expect(await database.withProject(newId(), (tx) => tx.rows(NOTES))).toEqual([]);
    });

    it('prepares a statement once, also where an earlier one of its transaction failed at its first use', async () => {
      const byText = prepared('SELECT text FROM notes WHERE text = $1');
      const keptTimes = async () =>
        (await source.query<unknown[]>('SELECT FROM pg_prepared_statements WHERE statement = $1', [byText.prepared])).length;
      const failing = database.withProject(A, (tx) => Promise.all([tx.rows('SELECT nothing FROM notes'), tx.rows(byText, ['a1'])]));
      await expect(failing).rejects.toThrow('"nothing"');
      expect(await keptTimes()).toBe(0);
      const twice = (projectId: string) =>
        database.withProject(projectId, (tx) => Promise.all([tx.rows(byText, ['a1']), tx.rows(byText, ['a2'])]));
      expect(await twice(A)).toEqual([[{ text: 'a1' }], [{ text: 'a2' }]]);
      expect(await twice(B)).toEqual([[], []]);
      expect(await keptTimes()).toBe(1);
    });

    it("refuses to write another project's row", async () => {
      const foreign = database.withProject(A, (tx) => insert(tx, B, 'x'));
      await expect(foreign).rejects.toThrow(/row-level security/);
      const moved = database.withProject(A, (tx) => tx.execute(`UPDATE notes SET project_id = $1 WHERE text = 'a1'`, [B]));
      await expect(moved).rejects.toThrow(/row-level security/);
      expect(await database.withProject(A, (tx) => tx.execute('DELETE FROM notes WHERE project_id = $1', [B]))).toBe(0);
      expect(await database.withProject(B, (tx) => tx.rows(NOTES))).toHaveLength(1);
    });

    it('leaves no setting to the next user of the connection', async () => {
      await database.withProject(A, (tx) => tx.rows(NOTES));
      expect(await source.query(NOTES)).toEqual([]);
      await database.withProject(A, () => Promise.reject(new Error('no'))).catch(() => undefined);
      expect(await source.query(NOTES)).toEqual([]);
    });
  });

  /** Returns the messages that the connection of the pool sends and receives during the work. */
  async function traffic(work: () => Promise<unknown>): Promise<string[]> {
    const client = await poolOf(source).connect();
    const { stream } = Reflect.get(client, 'connection') as { stream: NodeJS.EventEmitter & { write(...args: unknown[]): unknown } };
    client.release();
    const log: string[] = [];
    const send = stream.write.bind(stream);
    stream.write = (...args: unknown[]) => (log.push('sent'), send(...args));
    const onAnswer = () => log.push('answer');
    stream.on('data', onAnswer);
    await work();
    stream.off('data', onAnswer);
    Reflect.deleteProperty(stream, 'write');
    return log;
  }

  it('a unit of work may send statements at once; if one fails, none of them has effect', async () => {
    const both = (second: string) => (tx: Tx) => Promise.all([insert(tx, A, 'a5'), insert(tx, second, 'a6'), insert(tx, A, 'a7')]);
    await expect(database.withProject(A, both(B))).rejects.toThrow(/row-level security/);
    expect(await database.projectQuery(A, NOTES)).toHaveLength(2);
    expect(await database.withProject(A, both(A))).toEqual([1, 1, 1]);
    expect(await database.withProject(A, (tx) => tx.execute('DELETE FROM notes WHERE text >= $1', ['a5']))).toBe(3);
  });

  it('a unit of work fails for the statement that failed, not for one after it whose error arrives first', async () => {
    const nested = async (tx: Tx) => {
      await Promise.all([insert(tx, B, 'a5')]);
    };
    const failed = database.withProject(A, (tx) => Promise.all([nested(tx).then(() => undefined), insert(tx, A, 'a6')]));
    await expect(failed).rejects.toThrow(/row-level security/);
  });

  it('a unit of work takes a round trip for each statement and one for the commit', async () => {
    const log = await traffic(() => database.withProject(A, (tx) => tx.rows(NOTES)));
    const roundTrips = log.filter((entry, index) => entry === 'answer' && log[index - 1] === 'sent').length;
    expect(roundTrips).toBe(2);
  });

  it('a failure that the work hides is the failure of the unit of work, and the connection stays usable', async () => {
    const hidden = database.withProject(A, async (tx) => {
      await insert(tx, A, 'a8');
      await tx.rows('SELECT nothing FROM notes').catch(() => undefined);
    });
    await expect(hidden).rejects.toThrow('contains a statement that failed');
    expect(await database.projectQuery(A, NOTES)).toHaveLength(2);
  });

  it('an error of the work gives its connection back', async () => {
    const pid = () => database.systemQuery<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const before = await pid();
    await expect(database.withProject(A, () => Promise.reject(new DomainError('not_found')))).rejects.toMatchObject({ code: 'not_found' });
    expect(await pid()).toEqual(before);
  });

  it('asSystem reads every project and leaves nothing behind', async () => {
    expect(await database.asSystem((tx) => tx.rows(NOTES))).toHaveLength(3);
    expect(await source.query(NOTES)).toEqual([]);
  });

  it('without a scope no row is visible', async () => {
    expect(await source.query(NOTES)).toEqual([]);
  });

  describe('projectQuery', () => {
    it("gives that project's rows, typed as node-postgres does", async () => {
      expect(await database.projectQuery(A, NOTES)).toMatchObject([{ text: 'a1' }, { text: 'a2' }]);
      const [row] = await database.projectQuery<object>(A, `SELECT $1::int AS n, now() AS at, $2::bytea AS b, $3::text AS t`, [
        7,
        Buffer.from('x'),
        null,
      ]);
      expect(row).toEqual({ n: 7, at: expect.any(Date), b: Buffer.from('x'), t: null });
    });

    it('leaves no setting to the next user of the connection', async () => {
      expect(await database.projectQuery(A, NOTES)).toHaveLength(2);
      expect(await source.query(NOTES)).toEqual([]);
      expect(await database.projectQuery(B, NOTES)).toHaveLength(1);
      expect(await source.query(`SELECT current_setting('app.project_id', true) AS left`)).toEqual([{ left: '' }]);
      await expect(database.projectQuery(A, 'SELECT 1 / $1::int', [0])).rejects.toThrow('division by zero');
      expect(await source.query(NOTES)).toEqual([]);
      expect(await database.projectQuery(A, NOTES)).toHaveLength(2);
    });

    it('as the system reads every project, and leaves no setting behind', async () => {
      expect(await database.systemQuery(NOTES)).toHaveLength(3);
      expect(await source.query(NOTES)).toEqual([]);
      expect(await database.projectQuery(B, NOTES)).toHaveLength(1);
      await expect(database.systemQuery('SELECT 1 / $1::int', [0])).rejects.toThrow('division by zero');
      expect(await database.projectQuery(A, NOTES)).toHaveLength(2);
    });

    it('keeps concurrent reads of two projects on several connections apart', async () => {
      await source.destroy();
      await connect(4);
      const asks = Array.from({ length: 120 }, (_, index) => database.projectQuery<{ text: string }>(index % 2 ? A : B, NOTES));
      const answers = (await Promise.all(asks)).map((rows) => rows.map(({ text }) => text).join());
      expect(answers.every((texts, index) => texts === (index % 2 ? 'a1,a2' : 'b1'))).toBe(true);
      await source.destroy();
      await connect(1);
    });

    it('is prepared anew after a migration changed the type of its column', async () => {
      const settings = 'SELECT name FROM settings';
      const alter = (type: string) => owner.query(`ALTER TABLE settings ALTER COLUMN name TYPE ${type}`);
      const owner = new Client({ connectionString: testDatabase.ownerUrl });
      await owner.connect();
      try {
        expect(await database.systemQuery(settings, [])).toEqual([]);
        await alter('varchar(20)');
        await expect(database.systemQuery(settings, [])).rejects.toMatchObject({ code: 'service_unavailable' });
        expect(await database.systemQuery(settings, [])).toEqual([]);
      } finally {
        await alter('text');
        await owner.end();
      }
    });

    it('is prepared, and takes one round trip', async () => {
      await database.projectQuery(A, NOTES);
      const statements: { statement: string }[] = await source.query('SELECT statement FROM pg_prepared_statements');
      expect(statements.map(({ statement }) => statement)).toContain(NOTES);

      const log = await traffic(() => database.projectQuery(A, NOTES));
      expect(log.lastIndexOf('sent')).toBeLessThan(log.indexOf('answer'));
    });

    it('a failing statement rejects each time, and the connection stays usable', async () => {
      for (let time = 0; time < 2; time += 1)
        await expect(database.projectQuery(A, 'SELECT nothing FROM notes')).rejects.toThrow('"nothing"');
      expect(await database.projectQuery(A, NOTES)).toHaveLength(2);
    });

    it('a failing commit is the failure of the statement', async () => {
      const count = () => database.projectQuery(A, 'SELECT id FROM facts');
      await expect(database.projectQuery(A, `INSERT INTO facts VALUES ($1, $2, 'x', $1)`, [newId(), A])).rejects.toThrow('foreign key');
      expect(await count()).toEqual([]);
    });

    it('a scope is a value and never SQL', async () => {
      for (const scope of [`'; SELECT 1 --`, `\\' OR true --`, '']) expect(await database.projectQuery(scope, NOTES)).toEqual([]);
    });

    it('keeps a bounded number of statements on the server', async () => {
      for (let n = 0; n <= 250; n += 1) await database.projectQuery(A, `SELECT ${n}`);
      const [row] = await source.query<{ kept: number }[]>('SELECT count(*)::int AS kept FROM pg_prepared_statements');
      expect(row!.kept).toBeLessThanOrEqual(201);
      expect(await database.projectQuery(A, `${NOTES} LIMIT 1`)).toMatchObject([{ text: 'a1' }]);
      expect(await source.query(NOTES)).toEqual([]);
    });
  });

  describe('afterCommit', () => {
    it('runs once the rows can be seen by others, and not when the transaction fails', async () => {
      const seen: string[] = [];
      const other = new Client({ connectionString: testDatabase.ownerUrl });
      await other.connect();
      await database.withProject(A, async (tx) => {
        afterCommit(tx, () => seen.push('ran'));
        expect(seen).toEqual([]);
      });
      expect(seen).toEqual(['ran']);
      await other.end();
      const failing = database.withProject(A, async (tx) => {
        afterCommit(tx, () => seen.push('never'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(seen).toEqual(['ran']);
    });

    it('refuses a transaction that Database did not begin', () => {
      const other = { rows: () => Promise.resolve([]), execute: () => Promise.resolve(0) };
      expect(() => afterCommit(other, () => undefined)).toThrow('transaction that Database began');
    });
  });

  describe('forbidChange', () => {
    it.each([
      ['UPDATE', `UPDATE facts SET body = 'y'`],
      ['DELETE', 'DELETE FROM facts'],
      ['TRUNCATE', 'TRUNCATE facts'],
    ])('refuses %s', async (_, sql) => {
      await database.withProject(A, (tx) => tx.execute(`INSERT INTO facts VALUES ($1, $2, 'x')`, [newId(), A]));
      await expect(database.withProject(A, (tx) => tx.execute(sql))).rejects.toThrow('rows of facts never change');
    });

    it('refuses the owner too', async () => {
      const owner = new Client({ connectionString: testDatabase.ownerUrl });
      await owner.connect();
      try {
        await owner.query(`SELECT set_config('app.scope', 'system', false)`);
        await expect(owner.query('DELETE FROM facts')).rejects.toThrow('never change');
      } finally {
        await owner.end();
      }
    });
  });

  it('the pool replaces a connection that Postgres ends', async () => {
    const pid = (await source.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid'))[0]!.pid;
    const ended = database.withProject(A, (tx) => tx.rows('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(ended).rejects.toMatchObject({ code: 'service_unavailable' });
    const now = await eventually(() => database.projectQuery<{ pid: number }>(A, 'SELECT pg_backend_pid() AS pid'));
    expect(now[0]!.pid).not.toBe(pid);
  });

  it('survives a connection that Postgres ends during a scoped read', async () => {
    const ended = database.systemQuery('SELECT pg_terminate_backend(pg_backend_pid())');
    await expect(ended).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await eventually(() => database.systemQuery('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('refuses a statement after the unit of work has ended', async () => {
    const kept = await database.withProject(A, async (tx) => ({ tx }));
    await expect(kept.tx.rows('SELECT 1 AS one')).rejects.toThrow('The unit of work has ended');
  });

  it('refuses a scope with a NUL character', async () => {
    await expect(database.projectQuery('a\0b', 'SELECT 1 AS one')).rejects.toThrow('NUL');
    expect(await database.projectQuery(A, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('a request before there is a connection is refused as unavailable', async () => {
    const early = new Database(createDataSource({ url: testDatabase.url, poolSize: 1, applicationName: 'x' }));
    await expect(early.withProject(A, async () => 1)).rejects.toBeInstanceOf(DomainError);
    await expect(early.projectQuery(A, 'SELECT 1')).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
