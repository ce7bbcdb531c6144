import { EVENTS, type FetchImage, STREAMS, type StreamName } from '@tire/contracts/events';
import { createTestDatabase, eventually, freePort, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import type { ConsumeOptions } from '.';
import { fetchImage, MIGRATIONS, startService, type TestService } from './testing/service.fixture';

/** They go round the servers. Each waits until the cluster is whole again. */
const KILLS = Number(process.env['NATS_KILLS'] ?? 1);
/** On a busy machine three servers take long to agree. */
const PATIENCE = { timeoutMs: 150_000 };

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
  /** Configured, and up to date: while a replica catches up, the loss of another server stops its stream. */
  const hasCurrent = async (manager: JetStreamManager, name: StreamName, count: number): Promise<boolean> => {
    const { config, cluster } = await manager.streams.info(name);
    const others = cluster?.replicas ?? [];
    return config.num_replicas === count && others.length === count - 1 && others.every(({ current, offline }) => current && !offline);
  };
  const haveAll = (count: number) =>
    eventually(async () => {
      const manager = await operator.jetstreamManager();
      const current = await Promise.all((Object.keys(STREAMS) as StreamName[]).map((name) => hasCurrent(manager, name, count)));
      return current.every(Boolean);
    }, PATIENCE);

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
  }, 600_000);

  it(
    'lose nothing when one after the other is killed while work is published and done',
    async () => {
      const done = new Set<string>();
      const { database: db, outbox } = await startLedger(3, {
        type: EVENTS.fetchImage,
        durable: STREAMS.WORK_FETCH.consumer,
        ackWaitMs: 2_000,
        handle: async ({ assetId }) => void done.add(assetId),
      });
      const published: string[] = [];
      const publishSome = async () => {
        for (let n = 0; n < 20; n += 1) {
          const work = fetchImage();
          await db.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, work));
          published.push(work.assetId);
        }
      };
      const allDone = () => eventually(() => published.every((id) => done.has(id)), { ...PATIENCE, message: 'Work is lost' });
      for (let kill = 0; kill < KILLS; kill += 1) {
        const server = servers[kill % servers.length]!;
        await haveAll(3);
        await publishSome();
        await server.stop('SIGKILL');
        await publishSome();
        await allDone();
        await server.restart();
        await publishSome();
        await allDone();
      }
      expect(done.size).toBe(60 * KILLS);
    },
    (KILLS + 1) * 600_000,
  );
});

describe('one server of NATS', () => {
  let nats: TestNats;
  let database: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await createTestDatabase({ name: 'one_server', migrations: MIGRATIONS });
    nats = await startNats();
  });

  afterAll(async () => {
    await service?.app.close();
    await nats?.stop();
    await database?.drop();
  });

  it('keeps streams and work although the ledger is configured for three', async () => {
    const done = jest.fn();
    service = await startService(
      { natsUrl: nats.url, databaseUrl: database.url, serviceName: 'ledger', streamReplicas: 3 },
      { type: EVENTS.fetchImage, durable: STREAMS.WORK_FETCH.consumer, handle: async ({ assetId }: FetchImage) => done(assetId) },
    );
    const work = fetchImage();
    await service.database.asSystem((tx) => service.outbox.add(tx, EVENTS.fetchImage, work));
    await eventually(() => done.mock.calls.some(([id]) => id === work.assetId));
  });
});
