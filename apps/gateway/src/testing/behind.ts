import { EVENTS, type AnalysisFinished, type TreadMeasurement } from '@tire/contracts/events';
import { Consumers, EventingModule, Publisher } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { startService } from '@tire/platform';
import { createTestDatabase, eventually, freePort, spawnTypeScript, startNats } from '@tire/test-harness';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { startAssets } from './assets';

const SERVICES = ['ledger', 'content', 'share'] as const;
type Name = (typeof SERVICES)[number];

const QUIET = { NODE_ENV: 'test', LOG_LEVEL: 'fatal' };

/** The measurement of each photograph, by its number. */
export type TreadOf = (count: number) => TreadMeasurement;

interface Field {
  readonly withAssets?: boolean;
  readonly treadOf?: TreadOf;
}

/** Every service that the gateway calls, each as its own process on its own database. */
export async function startBehind(publicApiUrl: string, { withAssets = false, treadOf = () => MEASUREMENT }: Field = {}) {
  const nats = await startNats();
  const databases = await Promise.all(SERVICES.map((name) => createTestDatabase({ name, migrations: [] })));
  const [grpcPorts, operationsPorts] = await Promise.all([SERVICES, SERVICES].map((names) => Promise.all(names.map(() => freePort()))));
  const address = (name: Name) => `127.0.0.1:${grpcPorts![SERVICES.indexOf(name)]}`;
  const assetsPort = await freePort();
  const addresses = {
    LEDGER_GRPC_URL: address('ledger'),
    CONTENT_GRPC_URL: address('content'),
    SHARE_GRPC_URL: address('share'),
    ASSETS_GRPC_URL: `127.0.0.1:${assetsPort}`,
  };
  const assets = withAssets ? await startAssets({ port: assetsPort }) : null;
  const processes = SERVICES.map((name, index) =>
    spawnTypeScript('./libs/test-harness/src/migrated-service.fixture.ts', [`apps/${name}/src`], {
      ...QUIET,
      MIGRATION_DATABASE_URL: databases[index]!.ownerUrl,
      DATABASE_RUNTIME_ROLE: new URL(databases[index]!.url).username,
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: '0',
      OPERATIONS_PORT: String(operationsPorts![index]),
      GRPC_HOST: '127.0.0.1',
      GRPC_AUTH: 'accepted',
      GRPC_PORT: String(grpcPorts![index]),
      DATABASE_URL: databases[index]!.url,
      NATS_URL: nats.url,
      ...addresses,
      PUBLIC_API_URL: publicApiUrl,
      SHARE_BASE_URL: 'https://share.example',
      OBJECT_STORE_PUBLIC_ORIGIN: 'https://objects.example',
      SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    }),
  );
  const ready = (port: number) => async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  const started = processes.map((child, index) =>
    Promise.race([
      eventually(ready(operationsPorts![index]!), { message: `${SERVICES[index]} is not ready` }),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${SERVICES[index]} ended with ${code} before it was ready`))),
    ]),
  );
  await Promise.all(started).catch((error: unknown) => {
    for (const child of processes) child.kill('SIGKILL');
    throw error;
  });
  const field = await startField(nats.url, treadOf);
  return {
    addresses,
    stop: async () => {
      await field.close();
      await assets?.close();
      await Promise.all(processes.map(end));
      await Promise.all(databases.map((database) => database.drop()));
      await nats.stop();
    },
  };
}

async function end(child: ReturnType<typeof spawnTypeScript>): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/**
 * Stands in for assets and inference, without images: `/measured/…` is fetched and measured, `/away/…` is unreachable, any other image
 * gets no result. Sidewalls are unread, each with the same guess and a hash of its own, as further photographs of one tire have.
 */
async function startField(natsUrl: string, treadOf: TreadOf) {
  let treads = 0;
  const module = () => EventingModule.forRoot({ serviceName: 'field', natsUrl, outbox: false });
  const app = await startService({ name: 'field', module }, { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0 });
  const consumers = app.get(Consumers, { strict: false });
  const publisher = app.get(Publisher, { strict: false });
  consumers.consume({
    type: EVENTS.fetchImage,
    durable: 'field-fetch',
    handle: async ({ url, projectId, reportId, slotId, assetId, analysisId }) => {
      const kind = new URL(url).pathname.split('/')[1];
      if (kind !== 'measured' && kind !== 'away') return;
      const errorCode = kind === 'away' ? 'image_unreachable' : '';
      await publisher.publish(EVENTS.imageFetched, { projectId, reportId, slotId, assetId, analysisId, errorCode }, { id: newId() });
    },
  });
  consumers.consume({
    type: EVENTS.analyzeTread,
    durable: 'field-tread',
    handle: async ({ projectId, reportId, slotId, analysisId }) => {
      const finished: AnalysisFinished = {
        projectId,
        reportId,
        slotId,
        analysisId,
        completedAt: new Date().toISOString(),
        model: 'tread 1.0.0',
        outcome: { $case: 'tread', value: treadOf((treads += 1)) },
        retakeReasons: [],
      };
      await publisher.publish(EVENTS.analysisFinished, finished, { id: newId() });
    },
  });
  let photographs = 0;
  consumers.consume({
    type: EVENTS.analyzeSidewall,
    durable: 'field-sidewall',
    handle: async ({ projectId, reportId, slotId, analysisId }) => {
      const finished: AnalysisFinished = {
        projectId,
        reportId,
        slotId,
        analysisId,
        completedAt: new Date().toISOString(),
        model: 'sidewall 1.0.0',
        outcome: { $case: 'sidewall', value: { quality: { recognized: false }, guess: GUESS, brand: 'Hankook' } },
        retakeReasons: ['unreadable'],
        imageHash: createHash('sha256').update(String(++photographs)).digest('hex').slice(0, 16),
      };
      await publisher.publish(EVENTS.analysisFinished, finished, { id: newId() });
    },
  });
  return app;
}

const GUESS = { sectionWidthMm: 205, aspectRatioPercent: 55, rimDiameterInch: 16 };

export const MEASUREMENT: TreadMeasurement = {
  quality: { recognized: true, confidence: 0.9 },
  aggregatedRemainingDepthMm: 5.2,
  estimatedLifetimeKm: 30_000,
  individualRemainingDepthMm: [5.1, 5.3, 5.2],
  individualDepthInterval: [],
  tireRotationDegClockwise: 0,
  vehicleSide: 'left',
  grooveMasks: [],
  treadRoiBboxNorm: { x1: 0, y1: 0, x2: 1, y2: 1 },
};
