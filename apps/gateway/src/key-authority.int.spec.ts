import { Database } from '@tire/platform';
import { createTestDatabase, testClock, type TestDatabase } from '@tire/test-harness';
import { DataSource } from 'typeorm';
import { issueKey } from './api-key';
import { KeyAuthority } from './key-authority';
import { MIGRATIONS } from './migrations';
import { createKey, createOrganization, createProject, GATEWAY_ENTITIES } from './organization.store';

describe('KeyAuthority', () => {
  let testDatabase: TestDatabase;
  let source: DataSource;
  let database: Database;
  let key: string;

  /** Counts what Postgres is really asked. */
  const statements: string[] = [];

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ name: 'gateway', migrations: MIGRATIONS });
    source = await new DataSource({
      type: 'postgres',
      url: testDatabase.url,
      entities: GATEWAY_ENTITIES,
      logging: ['query'],
      logger: {
        logQuery: (query: string) => void statements.push(query),
        logQueryError: () => undefined,
        logQuerySlow: () => undefined,
        logSchemaBuild: () => undefined,
        logMigration: () => undefined,
        log: () => undefined,
      },
    }).initialize();
    database = new Database(source);
    key = await database.asSystem(async (tx) => {
      const organizationId = await createOrganization(tx, 'Shop');
      const projectId = await createProject(tx, { organizationId, mode: 'live', name: 'Live' });
      return (await createKey(tx, { projectId, name: 'server', scopes: ['report:*'] })).key;
    });
  });

  afterAll(async () => {
    await source?.destroy();
    await testDatabase?.drop();
  });

  const lookUps = () => statements.filter((statement) => statement.includes('WHERE digest')).length;

  it('asks once for requests that come together, and again after a second', async () => {
    const clock = testClock();
    const authority = new KeyAuthority(database, clock);
    const before = lookUps();
    const holders = await Promise.all(Array.from({ length: 20 }, () => authority.holderOf(`Bearer ${key}`)));
    expect(holders.every((holder) => holder?.mode === 'live')).toBe(true);
    clock.advanceMs(999);
    await authority.holderOf(`Bearer ${key}`);
    expect(lookUps() - before).toBe(1);
    clock.advanceMs(1);
    await authority.holderOf(`Bearer ${key}`);
    expect(lookUps() - before).toBe(2);
  });

  it('never asks about what cannot be a key', async () => {
    const authority = new KeyAuthority(database, testClock());
    const before = lookUps();
    const invented = [
      undefined,
      '',
      'Bearer',
      `Basic ${key}`,
      key,
      `Bearer ${key}x`,
      `Bearer ${key} ${key}`,
      `Bearer ${key.toLowerCase()}`,
    ];
    for (const header of invented) expect(await authority.holderOf(header)).toBeNull();
    expect(lookUps()).toBe(before);
  });

  it('knows no key that was never issued, even with a good checksum', async () => {
    expect(await new KeyAuthority(database, testClock()).holderOf(`Bearer ${issueKey('live').key}`)).toBeNull();
  });

  it('does not remember a failure', async () => {
    const away = new DataSource({ type: 'postgres', url: testDatabase.url, entities: GATEWAY_ENTITIES });
    const authority = new KeyAuthority(new Database(away), testClock());
    await expect(authority.holderOf(`Bearer ${key}`)).rejects.toMatchObject({ code: 'service_unavailable' });
    await away.initialize();
    try {
      expect(await authority.holderOf(`Bearer ${key}`)).toMatchObject({ mode: 'live' });
    } finally {
      await away.destroy();
    }
  });
});
