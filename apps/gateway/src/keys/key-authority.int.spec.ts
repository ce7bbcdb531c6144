import type { DomainError } from '@tire/kernel';
import { Database } from '@tire/platform';
import { createTestDatabase, testClock, type TestDatabase } from '@tire/test-harness';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { issueKey } from './api-key';
import { KeyAuthority } from './key-authority';
import { MIGRATIONS } from '../migrations';
import { createKey } from './key.store';
import { createOrganization } from '../organizations/organization.store';
import { createProject } from '../projects/project.store';

describe('KeyAuthority', () => {
  let testDatabase: TestDatabase;
  let source: DataSource;
  let database: Database;
  let key: string;

  /** The statements that are sent to Postgres. */
  const sent = jest.spyOn(Client.prototype, 'query');

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ name: 'gateway', migrations: MIGRATIONS });
    source = await new DataSource({ type: 'postgres', url: testDatabase.url }).initialize();
    database = new Database(source);
    key = await database.asSystem(async (tx) => {
      const organizationId = await createOrganization(tx, 'Shop');
      const projectId = await createProject(tx, { organizationId, mode: 'live', name: 'Live' });
      return (await createKey(tx, { projectId, name: 'server', scopes: ['report:*'] })).key;
    });
  });

  afterAll(async () => {
    sent.mockRestore();
    await source?.destroy();
    await testDatabase?.drop();
  });

  /** Each look-up from an address of its own. */
  let addresses = 0;
  const anywhere = () => `2001:db8:${Math.floor((addresses += 1) / 65_536).toString(16)}:${(addresses % 65_536).toString(16)}::1`;

  const lookUps = () => sent.mock.calls.filter(([statement]) => JSON.stringify(statement)?.includes('WHERE digest')).length;

  it('looks a key up once for concurrent requests, and again after a second', async () => {
    const clock = testClock();
    const authority = new KeyAuthority(database, clock);
    const before = lookUps();
    const holders = await Promise.all(Array.from({ length: 20 }, () => authority.holderOf(`Bearer ${key}`, anywhere)));
    expect(holders.every((holder) => holder?.mode === 'live')).toBe(true);
    clock.advanceMs(999);
    await authority.holderOf(`Bearer ${key}`, anywhere);
    expect(lookUps() - before).toBe(1);
    clock.advanceMs(1);
    await authority.holderOf(`Bearer ${key}`, anywhere);
    expect(lookUps() - before).toBe(2);
  });

  it('does not look up malformed keys', async () => {
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
    for (const header of invented) expect(await authority.holderOf(header, anywhere)).toBeNull();
    expect(lookUps()).toBe(before);
  });

  it('refuses a key that was never issued, even with a valid checksum', async () => {
    expect(await new KeyAuthority(database, testClock()).holderOf(`Bearer ${issueKey('live').key}`, anywhere)).toBeNull();
  });

  it('does not cache a failure', async () => {
    const away = new DataSource({ type: 'postgres', url: testDatabase.url });
    const authority = new KeyAuthority(new Database(away), testClock());
    await expect(authority.holderOf(`Bearer ${key}`, anywhere)).rejects.toMatchObject({ code: 'service_unavailable' });
    await away.initialize();
    try {
      expect(await authority.holderOf(`Bearer ${key}`, anywhere)).toMatchObject({ mode: 'live' });
    } finally {
      await away.destroy();
    }
  });

  it('does not treat a valid key as unknown after a failure', async () => {
    const clock = testClock();
    const source = await new DataSource({ type: 'postgres', url: testDatabase.url }).initialize();
    const authority = new KeyAuthority(new Database(source), clock);
    await authority.holderOf(`Bearer ${key}`, anywhere);
    await source.destroy();
    clock.advanceMs(1_000);
    await expect(authority.holderOf(`Bearer ${key}`, anywhere)).rejects.toMatchObject({ code: 'service_unavailable' });
    await source.initialize();
    try {
      const strangers = Array.from({ length: 1_500 }, async () => authority.holderOf(`Bearer ${issueKey('live').key}`, anywhere));
      await Promise.allSettled(strangers);
      expect(await authority.holderOf(`Bearer ${key}`, anywhere)).toMatchObject({ mode: 'live' });
    } finally {
      await source.destroy();
    }
  });

  it('does not cache a result for longer when the clock is set back', async () => {
    const clock = testClock();
    const authority = new KeyAuthority(database, clock);
    await authority.holderOf(`Bearer ${key}`, anywhere);
    const before = lookUps();
    clock.advanceMs(-3_600_000);
    await authority.holderOf(`Bearer ${key}`, anywhere);
    expect(lookUps() - before).toBe(1);
  });

  describe('a flood of unknown keys with valid checksums', () => {
    const invented = (count: number) => Array.from({ length: count }, () => issueKey('live').key);
    const answerTo = async (authority: KeyAuthority, each: string) => authority.holderOf(`Bearer ${each}`, anywhere);
    const ask = (authority: KeyAuthority, keys: readonly string[]) =>
      Promise.all(keys.map((each) => answerTo(authority, each).catch((error: unknown) => (error as DomainError).code)));

    it('causes few statements, and is refused above the rate limit', async () => {
      const clock = testClock();
      const authority = new KeyAuthority(database, clock);
      const before = lookUps();
      const answers = await ask(authority, invented(1_500));
      expect(answers.filter((answer) => answer === null)).toHaveLength(1_000);
      expect(answers.filter((answer) => answer === 'rate_limited')).toHaveLength(500);
      expect(lookUps() - before).toBeLessThanOrEqual(20);
      clock.advanceMs(1_000);
      expect((await ask(authority, invented(600))).filter((answer) => answer === null)).toHaveLength(500);
    });

    it('from one address is refused above a rate of its own, and leaves look-ups to others', async () => {
      const authority = new KeyAuthority(database, testClock());
      const ofOne = await Promise.allSettled(invented(1_500).map(async (each) => authority.holderOf(`Bearer ${each}`, () => '192.0.2.1')));
      expect(ofOne.filter(({ status }) => status === 'fulfilled')).toHaveLength(200);
      expect(await authority.holderOf(`Bearer ${key}`, () => '192.0.2.2')).toMatchObject({ mode: 'live' });
    });

    it('neither delays nor evicts valid keys', async () => {
      const clock = testClock();
      const authority = new KeyAuthority(database, clock);
      await authority.holderOf(`Bearer ${key}`, anywhere);
      for (let second = 0; second < 25; second += 1) {
        clock.advanceMs(1_000);
        const [[holder]] = await Promise.all([ask(authority, [key]), ask(authority, invented(600))]);
        expect(holder).toMatchObject({ mode: 'live' });
      }
      const before = lookUps();
      await authority.holderOf(`Bearer ${key}`, anywhere);
      expect(lookUps()).toBe(before);
    });
  });
});
