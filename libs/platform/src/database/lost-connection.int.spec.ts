import { createTestDatabase, eventually, type TestDatabase } from '@tire/test-harness';
import fs from 'node:fs';
import { Client } from 'pg';

describe('a connection to Postgres that is lost', () => {
  let testDatabase: TestDatabase;

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ name: 'lost', migrations: [] });
    // Tests log nothing by default. The level is read when the logger is loaded.
    process.env['LOG_LEVEL'] = 'warn';
    jest.resetModules();
  });
  afterAll(async () => {
    delete process.env['LOG_LEVEL'];
    await testDatabase?.drop();
  });

  it('is logged without the request that opened it', async () => {
    const { createDataSource } = await import('./data-source');
    const { requestContext } = await import('../request-context');
    const lines: string[] = [];
    const writing = jest.spyOn(fs, 'writeSync').mockImplementation((_file, text) => (lines.push(String(text)), String(text).length));
    const source = createDataSource({ url: testDatabase.url, poolSize: 1, applicationName: 'lost' });
    const other = new Client({ connectionString: testDatabase.url });
    try {
      await other.connect();
      const [{ pid }] = await requestContext.run({ requestId: 'opened-it' }, async () => {
        await source.initialize();
        return source.query('SELECT pg_backend_pid() AS pid');
      });
      await other.query('SELECT pg_terminate_backend($1)', [pid]);
      const lost = await eventually(() => lines.find((line) => line.includes('A connection to Postgres was lost')));
      expect(JSON.parse(lost)).not.toHaveProperty('request_id');
    } finally {
      writing.mockRestore();
      await other.end();
      await source.destroy();
    }
  });
});
