import { Database } from '@tire/platform';
import { createTestDatabase, testClock, type TestDatabase } from '@tire/test-harness';
import { Client } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { KeyUse } from './key-use';
import { MIGRATIONS } from '../migrations';
import { createKey } from './key.store';
import { createOrganization } from '../organizations/organization.store';
import { createProject } from '../projects/project.store';
import { startGateway } from '../testing/gateway';

const FLUSH_SECONDS = 3_600;
const START = new Date('2026-01-01T00:00:00.000Z');
const after = (seconds: number) => new Date(START.getTime() + seconds * 1_000);

describe('the last use of a key', () => {
  let testDatabase: TestDatabase;
  let source: DataSource;
  let database: Database;
  let keyIds: string[];
  /** The statements that are sent to Postgres. */
  const sent = jest.spyOn(Client.prototype, 'query');
  const updates = () => sent.mock.calls.filter(([statement]) => String(statement).startsWith('UPDATE'));

  const options = (): DataSourceOptions => ({ type: 'postgres', url: testDatabase.url });

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ name: 'gateway', migrations: MIGRATIONS });
    source = await new DataSource(options()).initialize();
    database = new Database(source);
  });

  beforeEach(async () => {
    keyIds = await database.asSystem(async (tx) => {
      const projectId = await createProject(tx, { organizationId: await createOrganization(tx, 'Shop'), mode: 'live', name: 'Live' });
      const keys = [];
      for (const name of ['a', 'b', 'c']) keys.push((await createKey(tx, { projectId, name, scopes: ['report:*'] })).keyId);
      return keys;
    });
    sent.mockClear();
  });

  afterAll(async () => {
    sent.mockRestore();
    await source?.destroy();
    await testDatabase?.drop();
  });

  const lastUses = async () =>
    database.asSystem(async (tx) => {
      const rows = await tx.rows<{ keyId: string; lastUsedAt: Date | null }>(
        'SELECT key_id AS "keyId", last_used_at AS "lastUsedAt" FROM api_keys WHERE key_id = ANY($1)',
        [keyIds],
      );
      return keyIds.map((keyId) => rows.find((row) => row.keyId === keyId)?.lastUsedAt ?? null);
    });

  it('is written in one statement for all keys and all uses', async () => {
    const clock = testClock(START);
    const use = new KeyUse(database, clock, FLUSH_SECONDS);
    for (let request = 0; request < 1_000; request += 1) {
      use.note(keyIds[request % 2]!);
      clock.advanceMs(1);
    }
    expect(updates()).toEqual([]);
    await use.flush();
    expect(updates()).toHaveLength(1);
    expect(await lastUses()).toEqual([after(0.998), after(0.999), null]);
    await use.flush();
    expect(updates()).toHaveLength(1);
  });

  it('never moves back, in any order of writes', async () => {
    const [early, late] = [testClock(START), testClock(after(60))];
    const [behind, ahead] = [new KeyUse(database, early, FLUSH_SECONDS), new KeyUse(database, late, FLUSH_SECONDS)];
    behind.note(keyIds[0]!);
    behind.note(keyIds[1]!);
    ahead.note(keyIds[0]!);
    await ahead.flush();
    await behind.flush();
    expect(await lastUses()).toEqual([after(60), after(0), null]);
  });

  it('is kept while the database is unavailable, and written afterwards', async () => {
    const away = new DataSource(options());
    const clock = testClock(START);
    const use = new KeyUse(new Database(away), clock, FLUSH_SECONDS);
    use.note(keyIds[0]!);
    use.note(keyIds[1]!);
    await use.flush();
    clock.advanceMs(5_000);
    use.note(keyIds[1]!);
    await use.flush();
    expect(await lastUses()).toEqual([null, null, null]);
    await away.initialize();
    try {
      await use.flush();
      expect(await lastUses()).toEqual([after(0), after(5), null]);
    } finally {
      await away.destroy();
    }
  });

  it('can be written by many processes at once', async () => {
    const uses = Array.from({ length: 10 }, (_, index) => {
      const use = new KeyUse(database, testClock(after(index)), FLUSH_SECONDS);
      for (const keyId of index % 2 ? keyIds : [...keyIds].reverse()) use.note(keyId);
      return use;
    });
    await Promise.all(uses.map((use) => use.flush()));
    await Promise.all(uses.map((use) => use.flush()));
    expect(await lastUses()).toEqual([after(9), after(9), after(9)]);
  });

  it('is written at shutdown, not during a request', async () => {
    const gateway = await startGateway({ environment: { KEY_USE_FLUSH_SECONDS: FLUSH_SECONDS } });
    const reader = new Client({ connectionString: gateway.databaseUrl });
    try {
      await reader.connect();
      await reader.query(`SELECT set_config('app.scope', 'system', false)`);
      const used = async () =>
        (await reader.query<{ used: number }>('SELECT count(last_used_at)::int AS used FROM api_keys')).rows[0]?.used;
      const key = await gateway.keyWith(['report:read']);
      expect((await gateway.call('GET', '/reports/none', { key })).status).toBe(404);
      expect(await used()).toBe(0);
      await gateway.close();
      expect(await used()).toBe(1);
    } finally {
      await reader.end();
      await gateway.stop();
    }
  });
});
