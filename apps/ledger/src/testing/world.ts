import { CreateReportResponse, Report } from '@tire/contracts/api';
import { EVENTS, type AnalysisFinished, type AnalyzeImage, type EventType, type PublicationChanged } from '@tire/contracts/events';
import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { Consumers, EventingModule, Outbox, Publisher, WorkQueues } from '@tire/eventing';
import { DomainError, newId, type Clock } from '@tire/kernel';
import { Database, grpcClient, startService, type PromiseClient, type Tx } from '@tire/platform';
import { createTestDatabase, eventually, freePort, startNats, testClock } from '@tire/test-harness';
import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { AppModule } from '../app.module';
import { configSchema, type Config } from '../config';
import { MIGRATIONS } from '../migrations';
import { Reconciler, type ReconcileSettings } from '../reconciler/reconciler';
import { UsageService } from '../usage/usage.service';
import { ReportCommands } from '../reports/report.commands';
import { RemovalService } from '../removal/removal.service';
import { Retention } from '../removal/retention';
import { Dispatcher } from '../work/dispatcher';
import { StandingRepair } from '../worklist/standing-repair';
import { WaitingMetrics } from '../work/waiting.metrics';
import { ReceivedMessages } from './received-messages';
import { creationRequest } from './requests';

export { creationRequest, treadMeasurement } from './requests';

type Ledger = PromiseClient<ledgerApi.LedgerServiceClient>;

export const SEALING_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** The reconciler sweeps only when a test calls it. */
const NEVER_MS = 86_400_000;

const STILL_WAITING = 'SELECT count(*) AS value FROM slots WHERE report_id = $1 AND queued_at IS NOT NULL AND handover_at IS NULL';

const NOBODY = '127.0.0.1:1';

interface WorldOptions {
  readonly mode?: 'test' | 'production';
  readonly overdueMs?: number;
  /** The workers of the test have that many messages in hand until it releases them. Default: they acknowledge at once. */
  readonly workersHold?: { readonly fetches?: number; readonly treads?: number };
  readonly assetsUrl?: string;
  /** Share and content, which remove their data of a report. */
  readonly holdersUrl?: string;
}

const configOf = (given: Record<string, string>): Config =>
  configSchema.parse({
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    OPERATIONS_PORT: '0',
    GRPC_HOST: '127.0.0.1',
    GRPC_AUTH: 'accepted',
    PUBLIC_API_URL: 'https://api.example/api/v1/',
    SHARE_BASE_URL: 'https://share.example',
    SEALING_KEYS,
    RECONCILE_INTERVAL_MS: String(NEVER_MS),
    RETENTION_INTERVAL_MS: String(NEVER_MS),
    ...given,
  });

const listenerModule = (natsUrl: string) => EventingModule.forRoot({ serviceName: 'listener', natsUrl, outbox: false });

/** The ledger as it runs in production, with its own database and broker, and a client that calls it, publishes and listens. */
export async function startWorld({
  mode = 'test',
  overdueMs = NEVER_MS,
  assetsUrl = NOBODY,
  holdersUrl = NOBODY,
  workersHold = {},
}: WorldOptions = {}) {
  const nats = await startNats();
  const database = await createTestDatabase({ name: 'ledger', migrations: MIGRATIONS });
  const clock = testClock(new Date());
  const grpcPort = await freePort();
  const config = configOf({
    NODE_ENV: mode,
    GRPC_PORT: String(grpcPort),
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    ASSETS_GRPC_URL: assetsUrl,
    SHARE_GRPC_URL: holdersUrl,
    CONTENT_GRPC_URL: holdersUrl,
    RECONCILE_AFTER_MS: String(overdueMs),
  });
  const app = await startService(
    { name: 'ledger', module: (c: Config) => AppModule.forRoot(c, clock), grpc: [GRPC_SERVICES.ledger] },
    config,
  );
  const listener = await startService({ name: 'listener', module: () => listenerModule(nats.url) }, config);
  const ledger: Ledger = grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, `127.0.0.1:${grpcPort}`);
  await eventually(() => app.get(Database, { strict: false }).dataSource.isInitialized);
  const client = new TestClient(
    ledger,
    listener.get(Publisher, { strict: false }),
    listener.get(Consumers, { strict: false }),
    workersHold,
  );
  return {
    ledger,
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    clock,
    received: client.received,
    publish: client.publish.bind(client),
    create: client.create.bind(client),
    report: client.report.bind(client),
    publishFetched: client.publishFetched.bind(client),
    publishFinished: client.publishFinished.bind(client),
    publishJudged: client.publishJudged.bind(client),
    settled: client.settled.bind(client),
    ...partsOf(app, config, clock),
    ...lookInto(app.get(Database, { strict: false }), database.ownerUrl),
    loseBroker: () => nats.wipe(),
    stop: async () => {
      client.received.fetchImage.releaseAll();
      client.received.analyzeTread.releaseAll();
      await listener.close();
      await app.close();
      await database.drop();
      await nats.stop();
    },
  };
}

const partsOf = (app: INestApplicationContext, config: Config, clock: Clock) => ({
  database: app.get(Database, { strict: false }),
  commands: app.get(ReportCommands, { strict: false }),
  reconciler: app.get(Reconciler, { strict: false }),
  /** Another one, with removals of the test. */
  anotherReconciler: (removal: Pick<RemovalService, 'finish'>, settings: ReconcileSettings, ownClock = clock) =>
    new Reconciler(
      app.get(Database, { strict: false }),
      app.get(Outbox, { strict: false }),
      app.get(Dispatcher, { strict: false }),
      removal as RemovalService,
      settings,
      ownClock,
    ),
  queues: app.get(WorkQueues, { strict: false }),
  waiting: app.get(WaitingMetrics, { strict: false }),
  retention: app.get(Retention, { strict: false }),
  repair: app.get(StandingRepair, { strict: false }),
  usage: app.get(UsageService, { strict: false }),
  /** Another one on the same database and broker, as in a second process. */
  anotherDispatcher: () =>
    new Dispatcher(
      app.get(Database, { strict: false }),
      app.get(WorkQueues, { strict: false }),
      { fetchesPerProject: config.FETCHES_PER_PROJECT },
      clock,
    ),
});

function lookInto(database: Database, ownerUrl: string) {
  const sql = (statement: string, values?: unknown[]) => asOwner(ownerUrl, statement, values);
  const inProject = <T>(projectId: string, work: (tx: Tx) => Promise<T>) => database.withProject(projectId, work);
  const number = async (statement: string, id: string) => Number((await sql(statement, [id]))[0]!['value']);
  return {
    asOwner: sql,
    inProject,
    asRuntime: (projectId: string, statement: string) => inProject(projectId, (tx) => tx.rows(statement)),
    countReports: (projectId: string) => number('SELECT count(*) AS value FROM reports WHERE project_id = $1', projectId),
    slotAttempts: (reportId: string) => number('SELECT max(handover_attempts) AS value FROM slots WHERE report_id = $1', reportId),
    /** All pending slots of the report are with a worker. */
    handedOut: (reportId: string) =>
      eventually(async () => (await number(STILL_WAITING, reportId)) === 0, { message: 'a slot still waits for a worker' }),
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

export const refusalOf = (call: Promise<unknown>): Promise<{ code: string; param: string | null }> =>
  call.then(
    () => ({ code: 'none', param: null }),
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return { code: error.code, param: error.param };
    },
  );

async function asOwner(url: string, statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT set_config('app.scope', 'system', false)`);
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

class TestClient {
  readonly received;

  constructor(
    private readonly ledger: Ledger,
    private readonly publisher: Publisher,
    consumers: Consumers,
    { fetches, treads }: NonNullable<WorldOptions['workersHold']>,
  ) {
    this.received = {
      fetchImage: new ReceivedMessages(consumers, EVENTS.fetchImage, { holds: fetches }),
      analyzeTread: new ReceivedMessages(consumers, EVENTS.analyzeTread, { holds: treads }),
      analysisEnded: new ReceivedMessages(consumers, EVENTS.analysisEnded),
      captureFinished: new ReceivedMessages(consumers, EVENTS.captureFinished),
    };
  }

  /** Each message has a new id, so that the broker does not drop it as a duplicate. */
  publish<T>(type: EventType<T>, message: T): Promise<void> {
    return this.publisher.publish(type, message, { id: newId() });
  }

  async create(request: ledgerApi.CreateReportRequest): Promise<{ reportId: string }> {
    const { responseJson } = await this.ledger.createReport(request);
    return { reportId: CreateReportResponse.parse(JSON.parse(responseJson.toString())).report_id };
  }

  async report(projectId: string, reportId: string): Promise<Report> {
    const { answers } = await this.ledger.getReports({ keys: [{ projectId, reportId }], acceptsPart: true });
    const { reportJson, errorCode } = answers[0]!;
    if (errorCode !== '') throw new Error(`The report is not served: ${errorCode}`);
    return Report.parse(JSON.parse(reportJson.toString()));
  }

  async publishFetched(projectId: string, reportId: string, slotId: string, errorCode = '', sha256?: string): Promise<void> {
    const work = await this.received.fetchImage.last(reportId, (message) => message.slotId === slotId);
    const { assetId, analysisId } = work;
    await this.publish(EVENTS.imageFetched, { projectId, reportId, slotId, assetId, analysisId, errorCode, sha256 });
  }

  async publishFinished({ projectId, reportId, slotId, analysisId }: AnalyzeImage, outcome: AnalysisFinished['outcome']): Promise<void> {
    const completedAt = new Date().toISOString();
    const rest = { completedAt, model: 'tread 1.0.0', outcome, retakeReasons: [] };
    await this.publish(EVENTS.analysisFinished, { projectId, reportId, slotId, analysisId, ...rest });
  }

  /** The publication of the present revision, as the share service publishes it. */
  async publishJudged(projectId: string, reportId: string, version: number, over: Partial<PublicationChanged> = {}): Promise<void> {
    const analysisRevision = (await this.report(projectId, reportId)).analysis_revision ?? undefined;
    const publicationStatus = 'unpublished';
    await this.publish(EVENTS.publicationChanged, { projectId, reportId, version, publicationStatus, analysisRevision, ...over });
  }

  /** Waits until a new report has gone the whole way: then all earlier messages are processed. */
  async settled(): Promise<void> {
    const request = creationRequest({ templateKey: 'tire_4t_0s' });
    const { projectId, images } = { ...request, images: request.images.slice(0, 1) };
    const { reportId } = await this.create({ ...request, images });
    await this.publishFetched(projectId, reportId, images[0]!.slotId);
    const [work] = await this.received.analyzeTread.of(reportId, 1);
    await this.publishFinished(work!, { $case: 'errorCode', value: 'tread_not_found' });
    await this.received.analysisEnded.of(reportId, 1);
    await this.publishJudged(projectId, reportId, 1);
    await eventually(async () => (await this.report(projectId, reportId)).links.share === null, {
      message: 'the publication did not arrive',
    });
  }
}
