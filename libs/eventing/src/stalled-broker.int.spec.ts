import { brokerUsers, EVENTS, STREAMS } from '@tire/contracts/events';
import {
  createTestDatabase,
  eventually,
  startNats,
  startStallingProxy,
  type StallingProxy,
  type TestDatabase,
  type TestNats,
} from '@tire/test-harness';
import { fetchImage, MIGRATIONS, startService, type TestService } from './testing/service.fixture';

const passwordOf = (name: string): string => `p-${name}`;

describe('a broker that accepts connections and does not answer, like a stopped process', () => {
  let nats: TestNats;
  let database: TestDatabase;
  let proxy: StallingProxy;
  let ledger: TestService;
  let assets: TestService;
  let handled: string[];

  beforeEach(async () => {
    handled = [];
    nats = await startNats({ configuration: brokerUsers((name) => JSON.stringify(passwordOf(name))) });
    database = await createTestDatabase({ name: 'stalled_broker', migrations: MIGRATIONS });
    proxy = await startStallingProxy(nats.port);
    const databaseUrl = database.url;
    // Only the ledger may create the streams.
    ledger = await startService({ natsUrl: nats.url, databaseUrl, serviceName: 'ledger', natsPassword: passwordOf('ledger') });
    assets = await startService(
      { natsUrl: `nats://127.0.0.1:${proxy.port}`, databaseUrl, serviceName: 'assets', natsPassword: passwordOf('assets') },
      { type: EVENTS.fetchImage, durable: STREAMS.WORK_FETCH.consumer, handle: async (_, { id }) => void handled.push(id) },
    );
  });

  afterEach(async () => {
    await assets.app.close();
    await ledger.app.close();
    await proxy.stop();
    await nats.stop();
    await database.drop();
  });

  const passes = async (id: string) => {
    await eventually(() => assets.publisher.publish(EVENTS.fetchImage, fetchImage(), { id }).then(() => true));
    await eventually(() => handled.includes(id), { message: `${id} was not handled` });
  };

  it('leaves one connection when it answers again, and every message is handled once', async () => {
    await passes('before');
    const before = proxy.accepted;
    proxy.stall();
    await eventually(() => proxy.accepted >= before + 3, { message: 'The service did not try to connect again' });
    await eventually(() => proxy.clients <= 1, { message: 'Attempts leave their connections open' });
    proxy.resume();
    await passes('after');
    await eventually(() => proxy.clients === 1, { message: 'More than one connection is left' });
    await passes('later');
    expect(proxy.clients).toBe(1);
    expect(handled).toEqual(['before', 'after', 'later']);
  });
});
