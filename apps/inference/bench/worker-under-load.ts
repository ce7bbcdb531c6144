import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EVENTS } from '@tire/contracts/events';
import { Consumers, EventingModule, Publisher } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { ensureNatsBinary, eventually, freePort, launch, startNatsServer } from '@tire/test-harness';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS, type Operation } from '../src/models/manifest';
import { startAssetsPeer } from './assets-peer';

/** Per operation: messages in the stream beside those in work, so that the worker never waits for the generator. */
const OUTSTANDING = 12;

export interface Reading {
  readonly atMs: number;
  readonly answers: Readonly<Record<Operation, number>>;
  readonly failed: number;
  readonly metrics: string;
}
export type Images = Readonly<Record<Operation, string>>;

const EVENT_OF = { 'tire.tread': EVENTS.analyzeTread, 'tire.sidewall': EVENTS.analyzeSidewall } as const;

/** The sum of all lines of a metric that contain every one of the labels. */
export function metricOf(metrics: string, name: string, ...labels: string[]): number {
  const lines = metrics.split('\n').filter((line) => line.startsWith(name) && labels.every((label) => line.includes(label)));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** One inference process as in production, with a real broker, assets over gRPC and HTTP, and an endless supply of images. */
export class WorkerUnderLoad {
  private requested: readonly Operation[] = [];
  private readonly outstanding = { 'tire.tread': 0, 'tire.sidewall': 0 };
  private readonly answers = { 'tire.tread': 0, 'tire.sidewall': 0 };
  private failed = 0;
  private constructor(
    readonly pid: number,
    readonly origin: string,
    private readonly publisher: Publisher,
    private readonly assetIds: Readonly<Record<Operation, string>>,
    readonly close: () => Promise<void>,
  ) {}

  static async start(folder: string, repository: string, images: Images): Promise<WorkerUnderLoad> {
    const nats = await startNatsServer({ binary: await ensureNatsBinary(join(folder, 'nats-binary')), storeDir: join(folder, 'nats') });
    const [assetsPort, operationsPort] = [await freePort(), await freePort()];
    const assets = await startAssetsPeer(assetsPort);
    const assetIds = { 'tire.tread': newId(), 'tire.sidewall': newId() };
    for (const operation of OPERATIONS) assets.images.set(assetIds[operation], readFileSync(images[operation]));
    const worker = launch({
      command: process.execPath,
      args: [join(__dirname, '../src/main.js')],
      logFile: join(folder, 'inference.log'),
      stopSignal: 'SIGTERM',
      env: {
        ...{
          NODE_ENV: 'production',
          LOG_LEVEL: 'warn',
          HTTP_HOST: '127.0.0.1',
          HTTP_PORT: '0',
          OPERATIONS_PORT: String(operationsPort),
          GRPC_PORT: '0',
        },
        ...{ NATS_URL: nats.url, ASSETS_GRPC_URL: `127.0.0.1:${assetsPort}`, GRPC_HOST: '127.0.0.1' },
        ...{ MODEL_REPOSITORY: repository, MODEL_REPOSITORY_LOOK_MS: '100', MALLOC_ARENA_MAX: '2' },
      },
    });
    @Module({ imports: [EventingModule.forRoot({ serviceName: 'bench', natsUrl: nats.url, outbox: false })] })
    class Bench {}
    const app = await NestFactory.createApplicationContext(Bench, { logger: false });
    const close = async () => {
      await worker.stop();
      await app.close();
      await Promise.all([assets.close(), nats.stop()]);
    };
    const origin = `http://127.0.0.1:${operationsPort}`;
    const load = new WorkerUnderLoad(worker.pid, origin, app.get(Publisher), assetIds, close);
    app.get(Consumers).consume({
      type: EVENTS.analysisFinished,
      durable: 'bench',
      concurrency: 64,
      handle: async ({ slotId, outcome }) => load.answered(slotId, outcome?.$case),
    });
    await eventually(async () => (await fetch(`${origin}/health/ready`)).ok, { timeoutMs: 60_000, message: 'The worker is not ready' });
    return load;
  }

  begin(...operations: Operation[]): void {
    this.requested = operations;
    for (const operation of operations) while (this.outstanding[operation] < OUTSTANDING) this.publishOne(operation);
  }

  /** Sends no more requests and waits for all results. */
  async end(): Promise<void> {
    this.requested = [];
    const isDone = () => OPERATIONS.every((operation) => this.outstanding[operation] === 0);
    await eventually(isDone, { timeoutMs: 120_000, message: 'The worker did not answer everything' });
  }

  async read(): Promise<Reading> {
    const metrics = await (await fetch(`${this.origin}/metrics`)).text();
    return { atMs: performance.now(), answers: { ...this.answers }, failed: this.failed, metrics };
  }

  residentMib(): number {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1024;
  }

  private publishOne(operation: Operation): void {
    this.outstanding[operation]++;
    const assetId = this.assetIds[operation];
    const work = { projectId: newId(), reportId: newId(), slotId: `${operation}.front_left`, assetId, analysisId: newId() };
    void this.publisher.publish(EVENT_OF[operation], work, { id: work.analysisId });
  }

  private answered(slotId: string, outcome: string | undefined): void {
    const operation = OPERATIONS.find((one) => slotId.startsWith(one))!;
    this.outstanding[operation]--;
    this.answers[operation]++;
    if (`tire.${outcome}` !== operation) this.failed++;
    if (this.requested.includes(operation)) this.publishOne(operation);
  }
}
