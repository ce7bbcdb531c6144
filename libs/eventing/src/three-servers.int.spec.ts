import { EVENTS, type FetchImage, STREAMS, type StreamName } from '@tire/contracts/events';
import { createTestDatabase, eventually, freePort, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { connect, type NatsConnection } from 'nats';
import type { ConsumeOptions } from '.';
import { fetchImage, MIGRATIONS, startService, type TestService } from './testing/service.fixture';

/** One cluster of three servers. */
async function startThree(): Promise<TestNats[]> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(', ');
  return Promise.all(
    ports.map((port, index) =>
      startNats({
        configuration: `server_name: n${index}\ncluster { name: three, listen: "127.0.0.1:${port}", routes: [${routes}] }\n`,
      }),
    ),
  );
}

describe('three servers of NATS', () => {
  let servers: TestNats[] = [];
  let database: TestDatabase;
  let operator: NatsConnection;
  const services: TestService[] = [];

  const startLedger = async (streamReplicas?: number, ...consume: ConsumeOptions<FetchImage>[]): Promise<TestService> => {
    const natsUrl = servers.map(({ url }) => url).join(',');
    const service = await startService({ natsUrl, databaseUrl: database.url, serviceName: 'ledger', streamReplicas }, ...consume);
    services.push(service);
    return service;
  };
  const replicas = async (): Promise<number[]> => {
    const manager = await operator.jetstreamManager();
    const names = Object.keys(STREAMS) as StreamName[];
    return Promise.all(names.map(async (name) => (await manager.streams.info(name)).config.num_replicas));
  };
  const haveAll = (count: number) => eventually(async () => (await replicas()).every((number) => number === count));

  beforeAll(async () => {
    database = await createTestDatabase({ name: 'three_servers', migrations: MIGRATIONS });
    servers = await startThree();
    operator = await connect({ servers: servers.map(({ url }) => url) });
  });

  afterAll(async () => {
    await Promise.all(services.map(({ app }) => app.close()));
    await operator?.close();
    await Promise.all(servers.map((server) => server.stop()));
    await database?.drop();
  });

  it('keep each stream on as many servers as the ledger is configured for, new ones and those that exist', async () => {
    await startLedger();
    await haveAll(1);
    await startLedger(3);
    await haveAll(3);
    // A service without the setting does not change them.
    await startLedger();
    await haveAll(3);
  });

  it('lose nothing when each of them is killed once, while work is published and done', async () => {
    const done = new Set<string>();
    const { database: db, outbox } = await startLedger(3, {
      type: EVENTS.fetchImage,
      durable: STREAMS.WORK_FETCH.consumer,
      ackWaitMs: 2_000,
      handle: async ({ assetId }) => void done.add(assetId),
    });
    await haveAll(3);
    const published: string[] = [];
    const publishSome = async () => {
      for (let n = 0; n < 20; n += 1) {
        const work = fetchImage();
        await db.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, work));
        published.push(work.assetId);
      }
    };
    const allDone = () => eventually(() => published.every((id) => done.has(id)), { message: 'Work is lost' });
    for (const server of servers) {
      await publishSome();
      await server.stop('SIGKILL');
      await publishSome();
      await allDone();
      await server.restart();
      await publishSome();
      await allDone();
    }
    expect(done.size).toBe(180);
  });
});
