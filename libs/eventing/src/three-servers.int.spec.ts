import { STREAMS, type StreamName } from '@tire/contracts/events';
import { createTestDatabase, eventually, freePort, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { connect, type NatsConnection } from 'nats';
import { MIGRATIONS, startService, type TestService } from './testing/service.fixture';

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

  const startLedger = async (streamReplicas?: number): Promise<TestService> => {
    const natsUrl = servers.map(({ url }) => url).join(',');
    const service = await startService({ natsUrl, databaseUrl: database.url, serviceName: 'ledger', streamReplicas });
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
    // Neither a service without the setting nor the loss of a server changes them.
    await startLedger();
    await servers[0]!.stop('SIGKILL');
    await haveAll(3);
  });
});
