import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENTS, type FetchImage, type ImageFetched } from '@tire/contracts/events';
import { GRPC_SERVICES, type assetsApi } from '@tire/contracts/grpc';
import { Consumers, EventingModule, Publisher } from '@tire/eventing';
import { newId, type Clock } from '@tire/kernel';
import { Database, grpcClient, startService } from '@tire/platform';
import { createTestDatabase, eventually, freePort, startNats, tempDir, testCa } from '@tire/test-harness';
import { Client } from 'pg';
import { AppModule } from '../app.module';
import { configSchema, type Config } from '../config';
import { serveObjects } from '../object-store/object-routes';
import { MIGRATIONS } from '../migrations';
import type { ObjectStore } from '../object-store/object-store';
import { OBJECT_STORE } from '../tokens';

interface HostAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}

/** A partner's image host over TLS. It counts connections. */
export async function startImageHost() {
  const { ca, cert, key } = await testCa();
  const answers = new Map<string, (attempt: number, headers: IncomingHttpHeaders) => HostAnswer | Promise<HostAnswer>>();
  const requests: string[] = [];
  let connections = 0;
  const server: Server = createServer({ cert, key }, (request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const answer = answers.get(path)?.(requests.filter((seen) => seen === path).length, request.headers) ?? { status: 404 };
    void Promise.resolve(answer).then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
  });
  server.on('connection', () => (connections += 1));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    ca,
    origin: `https://127.0.0.1:${port}`,
    answers,
    requests,
    connections: () => connections,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type ImageHost = Pick<Awaited<ReturnType<typeof startImageHost>>, 'ca' | 'origin'>;

interface Addresses {
  readonly host: ImageHost;
  readonly folder: string;
  readonly httpPort: number;
  readonly operationsPort: number;
  readonly grpcPort: number;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly ledgerUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly displayAhead: boolean;
}

const environmentOf = ({
  host,
  folder,
  httpPort,
  operationsPort,
  grpcPort,
  databaseUrl,
  natsUrl,
  ledgerUrl,
  allowedOrigins,
  displayAhead,
}: Addresses) => ({
  NODE_ENV: 'test',
  HTTP_HOST: '127.0.0.1',
  HTTP_PORT: String(httpPort),
  OPERATIONS_PORT: String(operationsPort),
  GRPC_HOST: '127.0.0.1',
  GRPC_PORT: String(grpcPort),
  GRPC_AUTH: 'accepted',
  DATABASE_URL: databaseUrl,
  NATS_URL: natsUrl,
  OBJECT_STORE: 'disk',
  OBJECT_STORE_DISK_ROOT: join(folder, 'objects'),
  OBJECT_STORE_DISK_PUBLIC_URL: `http://127.0.0.1:${httpPort}`,
  OBJECT_STORE_DISK_SECRET: 'a secret for these tests, 32 characters',
  OUTBOUND_ALLOWED_ORIGINS: [host.origin, ...allowedOrigins].join(','),
  OUTBOUND_EXTRA_CA_FILE: join(folder, 'ca.pem'),
  LEDGER_GRPC_URL: ledgerUrl,
  CLEANING_GRACE_HOURS: '24',
  DISPLAY_AHEAD: String(displayAhead),
});

interface WorldOptions {
  readonly clock?: Clock;
  readonly ledgerUrl?: string;
  /** Allowed origins besides that of the host. */
  readonly allowedOrigins?: readonly string[];
  /** False by default: what a test counts is what it requested. */
  readonly displayAhead?: boolean;
}

const NO_LEDGER = '127.0.0.1:1';

const resultsFor = (received: readonly ImageFetched[], assetId: string, times: number, timeoutMs?: number) =>
  eventually(
    () => {
      const results = received.filter((message) => message.assetId === assetId);
      return results.length >= times && results;
    },
    { timeoutMs },
  );

/** The service as in production, with its own database, broker and folder, and a listener for its events. */
export async function startWorld(
  host: ImageHost,
  { clock, ledgerUrl = NO_LEDGER, allowedOrigins = [], displayAhead = false }: WorldOptions = {},
) {
  const [nats, folder, database] = [
    await startNats(),
    await tempDir(),
    await createTestDatabase({ name: 'assets', migrations: MIGRATIONS }),
  ];
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`SELECT set_config('app.scope', 'system', false)`);
  const [httpPort, operationsPort, grpcPort] = [await freePort(), await freePort(), await freePort()];
  await writeFile(join(folder, 'ca.pem'), host.ca);
  const addresses = { databaseUrl: database.url, natsUrl: nats.url, ledgerUrl };
  const environment = environmentOf({ host, folder, httpPort, operationsPort, grpcPort, ...addresses, allowedOrigins, displayAhead });
  const config = configSchema.parse(environment);
  const options = {
    name: 'assets',
    module: (c: Config) => AppModule.forRoot(c, clock),
    grpc: [GRPC_SERVICES.assets],
    prepare: serveObjects,
  };
  const app = await startService(options, config);
  const listenerModule = () => EventingModule.forRoot({ serviceName: 'listener', natsUrl: nats.url, outbox: false });
  const listener = await startService(
    { name: 'listener', module: listenerModule },
    { HTTP_HOST: '127.0.0.1', HTTP_PORT: await freePort() },
  );
  const received: ImageFetched[] = [];
  listener.get(Consumers, { strict: false }).consume({
    type: EVENTS.imageFetched,
    durable: 'listener',
    handle: (message) => Promise.resolve(void received.push(message)),
  });
  await eventually(async () => app.get(Database, { strict: false }).dataSource.isInitialized);
  return {
    assets: grpcClient<assetsApi.AssetServiceClient>(GRPC_SERVICES.assets, `127.0.0.1:${grpcPort}`),
    app,
    received,
    environment,
    objectsRoot: config.OBJECT_STORE_DISK_ROOT!,
    /** Runs a query as the owner of the database, who may read every project. */
    sql: async <R extends object>(text: string, params: unknown[] = []) => (await owner.query<R>(text, params)).rows,
    keys: async (prefix: string) => {
      const found: string[] = [];
      for await (const key of app.get<ObjectStore>(OBJECT_STORE, { strict: false }).list(prefix)) found.push(key);
      return found;
    },
    fetch: (work: FetchImage) => listener.get(Publisher, { strict: false }).publish(EVENTS.fetchImage, work, { id: newId() }),
    results: (assetId: string, times = 1, timeoutMs?: number) => resultsFor(received, assetId, times, timeoutMs),
    stop: async () => {
      await listener.close();
      await app.close();
      await nats.stop();
      await owner.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
