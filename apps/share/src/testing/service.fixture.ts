import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Content } from '@tire/contracts/api';
import { type ContentGenerated, EVENTS, type AnalysisEnded, type PublicationChanged } from '@tire/contracts/events';
import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { Consumers, Publisher } from '@tire/eventing';
import { type Clock, newId } from '@tire/kernel';
import { HealthRegistry, parseEnvironment, startService } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { AppModule } from '../app.module';
import { configSchema } from '../config';
import { contentFixture } from '../page/content.fixture';
import { answerBroken } from '../page/page.controller';
import { type Peers, startPeers } from './peers.fixture';
import { type Receiver, startReceiver } from './receiver.fixture';

/** The service on a real database and broker, with the server of a partner and other services beside it. */
export interface RunningShare {
  readonly app: NestFastifyApplication;
  /** A connection as the owner of the database, with the scope of all projects. */
  readonly owner: Client;
  readonly peers: Peers;
  readonly receiver: Receiver;
  analysisEnded(message: AnalysisEnded): Promise<void>;
  contentGenerated(message: ContentGenerated): Promise<void>;
  isReady(): Promise<boolean>;
  /** The events of share about a report, in order. */
  changes(reportId: string): PublicationChanged[];
  close(): Promise<void>;
}

/** The infrastructure of a suite. */
export interface Infrastructure {
  readonly database: { readonly url: string; readonly ownerUrl: string; drop(): Promise<void> };
  readonly nats: { readonly url: string; stop(): Promise<void> };
  readonly peersPort: number;
  readonly clock?: Clock;
  readonly pdfsAtOnce?: number;
  readonly callbacksAtOnce?: number;
}

export const environment = (
  { database, nats, pdfsAtOnce = 4, callbacksAtOnce = 4_096 }: Infrastructure,
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

export async function startShare(infrastructure: Infrastructure): Promise<RunningShare> {
  const { database, nats } = infrastructure;
  const [peers, receiver] = await Promise.all([startPeers(infrastructure.peersPort), startReceiver()]);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`SELECT set_config('app.scope', 'system', false)`);
  const config = parseEnvironment(configSchema, environment(infrastructure, peers, receiver));
  const app = await startService(
    { name: 'share', module: (given) => AppModule.forRoot(given, infrastructure.clock), grpc: [GRPC_SERVICES.share], answerBroken },
    config,
  );
  const received: PublicationChanged[] = [];
  app.get(Consumers).consume({
    type: EVENTS.publicationChanged,
    durable: 'share-int-spec',
    handle: async (message) => void received.push(message),
  });
  return {
    app,
    owner,
    peers,
    receiver,
    // A new id each time, so that the broker does not drop a repetition.
    analysisEnded: (message) => app.get(Publisher).publish(EVENTS.analysisEnded, message, { id: newId() }),
    contentGenerated: (message) => app.get(Publisher).publish(EVENTS.contentGenerated, message, { id: newId() }),
    changes: (reportId) => received.filter((message) => message.reportId === reportId),
    isReady: () => app.get(HealthRegistry).isReady(),
    close: async () => {
      await app.close();
      await owner.end();
      await Promise.all([nats.stop(), peers.close(), receiver.close()]);
      await database.drop();
    },
  };
}

export const PROJECT = newId();

export const analysisEnded = (change: Partial<AnalysisEnded> = {}): AnalysisEnded => ({
  projectId: PROJECT,
  reportId: newId(),
  analysisRevision: newId(),
  analysisStatus: 'complete',
  completedAt: new Date().toISOString(),
  shareToken: randomBytes(32).toString('base64url'),
  createdAt: new Date().toISOString(),
  ...change,
});

/** The answer of the ledger about a report that publication knows. */
export const stateOf = (
  { shareToken, createdAt, callbackUrl }: AnalysisEnded,
  state: Partial<ledgerApi.GetPublicationStateResponse> = {},
): ledgerApi.GetPublicationStateResponse => ({
  analysisStatus: 'complete',
  legacy: false,
  registration: { shareToken, createdAt, callbackUrl },
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
export async function publishedReport(share: RunningShare, change: Partial<Content> = {}, projectId = PROJECT) {
  const ended = analysisEnded({ projectId });
  const ready = contentReady(ended, { analysisRevision: ended.analysisRevision });
  const content = contentFixture({ report_id: ended.reportId, content_revision: ready.contentRevision, ...change });
  share.peers.documents.set(ready.contentRevision, JSON.stringify(content));
  share.peers.reports.set(
    ended.reportId,
    stateOf(ended, { analysisRevision: ready.analysisRevision, contentRevision: ready.contentRevision }),
  );
  await share.analysisEnded(ended);
  await share.contentGenerated(ready);
  await eventually(() => share.changes(ended.reportId).some(({ publicationStatus }) => publicationStatus === 'published'));
  return { ended, ready };
}
