import { createTestDatabase, eventually, startStallingProxy, type StallingProxy, type TestDatabase } from '@tire/test-harness';
import { newId } from '@tire/kernel';
import { MIGRATIONS } from '../migrations';
import { startGateway } from '../testing/gateway';

describe('the gateway without Postgres', () => {
  let database: TestDatabase;
  let proxy: StallingProxy;
  let gateway: Awaited<ReturnType<typeof startGateway>>;

  beforeAll(async () => {
    database = await createTestDatabase({ name: 'gateway', migrations: MIGRATIONS });
    const url = new URL(database.url);
    proxy = await startStallingProxy(Number(url.port));
    url.port = String(proxy.port);
    gateway = await startGateway({ database: { url: url.href, ownerUrl: database.ownerUrl } });
  });

  afterAll(async () => {
    await gateway?.stop();
    await proxy?.stop();
    await database?.drop();
  });

  it('stays ready, answers 503 with the envelope, and answers again when it is back', async () => {
    // Only Postgres knows that a key was revoked.
    const revoked = [await gateway.revokedKey(), await gateway.revokedKey(), await gateway.revokedKey()];
    const next = () => gateway.call('GET', `/reports/${newId()}`, { key: revoked.pop()! });
    const ready = async () => (await fetch(`${gateway.operations}/health/ready`)).json() as Promise<{ status: string; details: object }>;
    expect((await next()).status).toBe(401);
    proxy.stall();
    const refused = await next();
    expect([refused.status, refused.error]).toMatchObject([503, { type: 'api_error', code: 'internal_error', retryable: true }]);
    expect(await ready()).toMatchObject({ status: 'ok', details: { database: { status: 'down' }, schema: { status: 'up' } } });
    proxy.resume();
    await eventually(async () => {
      const { details } = await ready();
      return Reflect.get(Reflect.get(details, 'database'), 'status') === 'up';
    });
    expect((await next()).status).toBe(401);
  });
});
