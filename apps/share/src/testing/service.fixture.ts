import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Content } from '@tire/contracts/api';
import { type ContentGenerated, EVENTS, type AnalysisEnded, type PublicationChanged } from '@tire/contracts/events';
import { GRPC_SERVICES, type ledgerApi, type shareApi } from '@tire/contracts/grpc';
import { Consumers, Publisher } from '@tire/eventing';
import { type Clock, newId } from '@tire/kernel';
import { HealthRegistry, parseEnvironment, readSealingKeys, startService } from '@tire/platform';
import { createTestDatabase, eventually, freePort, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { AppModule } from '../app.module';
import { configSchema } from '../config';
import { MIGRATIONS } from '../migrations';
import { contentFixture } from '../page/content.fixture';
import { answerBroken } from '../page/page.controller';
import { newWebhookSecret, openSecret, sealedSecret, type StoredSecret } from '../webhook-secrets/webhook-secret.store';
import { type Peers, startPeers } from './peers.fixture';
import { type Receiver, startReceiver } from './receiver.fixture';

/** The service on a real database and broker, with the server of a partner and other services beside it. */
export interface RunningShare {
  readonly app: NestFastifyApplication;
  /** A connection as the owner of the database, with the scope of all projects. */
  readonly owner: Client;
  readonly peers: Peers;
  readonly receiver: Receiver;
  analysisEnded(message: EndedReport): Promise<void>;
  contentGenerated(message: ContentGenerated): Promise<void>;
  /** Each time a message of its own, as one that is relayed twice after the window of the broker. */
  captureFinished(report: EndedReport, finishedAt: string): Promise<void>;
  /** The events of share about a report, in order. */
  changes(reportId: string): PublicationChanged[];
  close(): Promise<void>;
}

/** The event, and the registration of its report in the ledger. */
export type EndedReport = AnalysisEnded & ledgerApi.ShareRegistration;

interface Options {
  readonly clock?: Clock;
  readonly pdfsAtOnce?: number;
  readonly callbacksAtOnce?: number;
  /** How many origins of the receiver the guard allows. */
  readonly receivers?: number;
  /** Assets is of the release before pages got all images at once. */
  readonly hasFormerAssets?: boolean;
}

type Infrastructure = Readonly<{ database: Pick<TestDatabase, 'url'>; nats: Pick<TestNats, 'url'> }>;

const SEALING_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
export const keys = readSealingKeys(SEALING_KEYS)!;

export const environment = (
  { database, nats, pdfsAtOnce = 4, callbacksAtOnce = 4_096 }: Infrastructure & Omit<Options, 'clock' | 'receivers' | 'hasFormerAssets'>,
  peers: Pick<Peers, 'address' | 'imagesOrigin'>,
  receiver: Pick<Receiver, 'origin'>,
) => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'fatal',
  HTTP_HOST: '127.0.0.1',
  HTTP_PORT: '0',
  OPERATIONS_PORT: '0',
  GRPC_HOST: '127.0.0.1',
  GRPC_PORT: '0',
  GRPC_AUTH: 'accepted',
  DATABASE_URL: database.url,
  DATABASE_POOL_SIZE: '4',
  NATS_URL: nats.url,
  SEALING_KEYS,
  LEDGER_GRPC_URL: peers.address,
  CONTENT_GRPC_URL: peers.address,
  ASSETS_GRPC_URL: peers.address,
  PUBLIC_API_URL: 'https://api.example.com/api/v1',
  SHARE_BASE_URL: 'https://share.example.com',
  OBJECT_STORE_PUBLIC_ORIGIN: peers.imagesOrigin,
  OUTBOUND_ALLOWED_ORIGINS: receiver.origin,
  SHARE_PDFS_AT_ONCE: String(pdfsAtOnce),
  SHARE_CALLBACKS_AT_ONCE: String(callbacksAtOnce),
});

/** Starts a ready service on a database, a broker, peers and a receiver of its own; `close` ends them all. */
export async function startOwnShare({ clock, receivers = 1, hasFormerAssets = false, ...limits }: Options = {}): Promise<RunningShare> {
  const [database, nats, peers, receiver] = await Promise.all([
    createTestDatabase({ name: 'share', migrations: MIGRATIONS }),
    startNats(),
    freePort().then((port) => startPeers(port, hasFormerAssets)),
    startReceiver(),
  ]);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`SELECT set_config('app.scope', 'system', false)`);
  const origin = Array.from({ length: receivers }, (_, index) => receiver.originAt(1 + index)).join();
  const config = parseEnvironment(configSchema, environment({ database, nats, ...limits }, peers, { origin }));
  const app = await startService(
    { name: 'share', module: (given) => AppModule.forRoot(given, clock), grpc: [GRPC_SERVICES.share], answerBroken },
    config,
  );
  const received: PublicationChanged[] = [];
  app.get(Consumers).consume({
    type: EVENTS.publicationChanged,
    durable: 'share-int-spec',
    handle: async (message) => void received.push(message),
  });
  const share: RunningShare = {
    app,
    owner,
    peers,
    receiver,
    // A new id each time, so that the broker does not drop a repetition.
    analysisEnded: (message) => {
      if (!peers.reports.has(message.reportId)) peers.reports.set(message.reportId, stateOf(message));
      return app.get(Publisher).publish(EVENTS.analysisEnded, message, { id: newId() });
    },
    contentGenerated: (message) => app.get(Publisher).publish(EVENTS.contentGenerated, message, { id: newId() }),
    captureFinished: (report, finishedAt) => {
      if (!peers.reports.has(report.reportId)) peers.reports.set(report.reportId, stateOf(report));
      const { projectId, reportId } = report;
      return app.get(Publisher).publish(EVENTS.captureFinished, { projectId, reportId, finishedAt }, { id: newId() });
    },
    changes: (reportId) => received.filter((message) => message.reportId === reportId),
    close: async () => {
      await app.close();
      await owner.end();
      await Promise.all([nats.stop(), peers.close(), receiver.close()]);
      await database.drop();
    },
  };
  await eventually(() => app.get(HealthRegistry).isReady()).catch(async (error: unknown) => {
    await share.close();
    throw error;
  });
  return share;
}

export const PROJECT = newId();

export const analysisEnded = (change: Partial<EndedReport> = {}): EndedReport => ({
  projectId: PROJECT,
  reportId: newId(),
  analysisRevision: newId(),
  analysisStatus: 'complete',
  completedAt: new Date().toISOString(),
  shareToken: randomBytes(32).toString('base64url'),
  createdAt: new Date().toISOString(),
  ...change,
});

/** The signing secrets of a project as they are, newest first. */
export async function secretsOf(owner: Client, projectId: string): Promise<string[]> {
  const select = 'SELECT id, secret FROM webhook_secrets WHERE project_id = $1 ORDER BY created_at DESC';
  const { rows } = await owner.query<StoredSecret>(select, [projectId]);
  return rows.map((row) => openSecret(keys, projectId, row));
}

/** Returns ids and sealed secrets of these projects, for statements that insert many rows. */
export function secretsFor(projects: readonly string[]): readonly [ids: string[], secrets: Buffer[]] {
  const made = projects.map((projectId) => sealedSecret(keys, projectId, newWebhookSecret()));
  return [made.map(({ id }) => id), made.map(({ secret }) => secret)];
}

/** The call of the ledger that discards a report. */
export const discardOf = ({ projectId, reportId, shareToken, createdAt }: EndedReport): shareApi.DiscardReportRequest => ({
  projectId,
  reportId,
  shareTokenDigest: createHash('sha256').update(shareToken).digest(),
  createdAt,
});

/** The answer of the ledger about a report that is registered. */
export const stateOf = (
  { shareToken, createdAt, callbackUrl, externalInspectionId, externalVehicleId }: EndedReport,
  state: Partial<ledgerApi.GetPublicationStateResponse> = {},
): ledgerApi.GetPublicationStateResponse => ({
  analysisStatus: 'complete',
  legacy: false,
  callbackFailures: 0,
  registration: { shareToken, createdAt, callbackUrl, externalInspectionId, externalVehicleId },
  ...state,
});

export const contentReady = (
  { projectId, reportId }: { projectId: string; reportId: string },
  change: Partial<ContentGenerated> = {},
): ContentGenerated => ({
  projectId,
  reportId,
  analysisRevision: newId(),
  analysisStatus: 'complete',
  contentRevision: newId(),
  etag: 'W/"1"',
  errorCode: '',
  ...change,
});

export const contentIncomplete = (report: { projectId: string; reportId: string }): ContentGenerated =>
  contentReady(report, { analysisStatus: 'partial', contentRevision: '', etag: '', errorCode: 'content_source_incomplete' });

/** A report with content that is complete in the ledger. */
export async function publishedReport(
  share: RunningShare,
  change: Partial<Content> = {},
  projectId = PROJECT,
  registered: Pick<ledgerApi.ShareRegistration, 'branchId'> = {},
) {
  const ended = analysisEnded({ projectId });
  const ready = contentReady(ended, { analysisRevision: ended.analysisRevision });
  const content = contentFixture({ report_id: ended.reportId, content_revision: ready.contentRevision, ...change });
  share.peers.documents.set(ready.contentRevision, JSON.stringify(content));
  const state = stateOf(ended, { analysisRevision: ready.analysisRevision, contentRevision: ready.contentRevision });
  share.peers.reports.set(ended.reportId, { ...state, registration: { ...state.registration!, ...registered } });
  await share.analysisEnded(ended);
  await share.contentGenerated(ready);
  await eventually(() => share.changes(ended.reportId).some(({ publicationStatus }) => publicationStatus === 'published'));
  return { ended, ready };
}
