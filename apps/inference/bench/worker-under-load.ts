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
import { benchProvider } from './provider';

/** Per operation: messages in the stream beside those in work, so that the worker never waits for the generator. */
const OUTSTANDING = 12;
const READY_WITHIN_MS = 120_000;

export interface Reading {
  readonly atMs: number;
  readonly answers: Readonly<Record<Operation, number>>;
  /** When the last one of them came. */
  readonly answeredMs: Readonly<Record<Operation, number>>;
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

export interface WorkerOptions {
  readonly folder: string;
  readonly repository: string;
  readonly images: Images;
  /** Inference processes at the same broker. Default: one. */
  readonly processes?: number;
  /** How often a process looks for other versions of the models. Default: as in production. */
  readonly lookMs?: number;
}

type Answered = (outcome: string | undefined) => void;

/** Inference processes as in production, with a real broker, assets over gRPC and HTTP, and an endless supply of images. */
export class WorkerUnderLoad {
  private requested: readonly Operation[] = [];
  private readonly outstanding = { 'tire.tread': 0, 'tire.sidewall': 0 };
  private readonly answers = { 'tire.tread': 0, 'tire.sidewall': 0 };
  private readonly answeredMs = { 'tire.tread': 0, 'tire.sidewall': 0 };
  private readonly waiting = new Map<string, Answered>();
  private failed = 0;
  private constructor(
    readonly pids: readonly number[],
    readonly brokerPid: number,
    /** Of the first process. */
    readonly origin: string,
    private readonly publisher: Publisher,
    private readonly assetIds: Readonly<Record<Operation, string>>,
    readonly close: () => Promise<void>,
  ) {}

  static async start({ folder, repository, images, processes = 1, lookMs }: WorkerOptions): Promise<WorkerUnderLoad> {
    const nats = await startNatsServer({ binary: await ensureNatsBinary(join(folder, 'nats-binary')), storeDir: join(folder, 'nats') });
    const assetsPort = await freePort();
    const assets = await startAssetsPeer(assetsPort);
    const assetIds = { 'tire.tread': newId(), 'tire.sidewall': newId() };
    for (const operation of OPERATIONS) assets.images.set(assetIds[operation], readFileSync(images[operation]));
    const ports = await Promise.all(Array.from({ length: processes }, freePort));
    const workers = ports.map((port) =>
      launch({
        command: process.execPath,
        args: [join(__dirname, '../src/main.js')],
        logFile: join(folder, 'inference.log'),
        stopSignal: 'SIGTERM',
        env: {
          ...{ NODE_ENV: 'production', LOG_LEVEL: 'warn', HTTP_HOST: '127.0.0.1', HTTP_PORT: '0', OPERATIONS_PORT: String(port) },
          ...{ NATS_URL: nats.url, ASSETS_GRPC_URL: `127.0.0.1:${assetsPort}`, GRPC_HOST: '127.0.0.1', GRPC_PORT: '0' },
          ...{ MODEL_REPOSITORY: repository, EXECUTION_PROVIDERS: benchProvider(), MALLOC_ARENA_MAX: '2' },
          ...(lookMs === undefined ? {} : { MODEL_REPOSITORY_LOOK_MS: String(lookMs) }),
        },
      }),
    );
    @Module({ imports: [EventingModule.forRoot({ serviceName: 'bench', natsUrl: nats.url, outbox: false })] })
    class Bench {}
    const app = await NestFactory.createApplicationContext(Bench, { logger: false });
    const close = async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await app.close();
      await Promise.all([assets.close(), nats.stop()]);
    };
    const origins = ports.map((port) => `http://127.0.0.1:${port}`);
    const pids = workers.map(({ pid }) => pid);
    const load = new WorkerUnderLoad(pids, nats.pid, origins[0]!, app.get(Publisher), assetIds, close);
    app.get(Consumers).consume({
      type: EVENTS.analysisFinished,
      durable: 'bench',
      concurrency: 64,
      handle: async ({ slotId, analysisId, outcome }) => load.answered(slotId, analysisId, outcome?.$case),
    });
    const isReady = async (origin: string) => (await fetch(`${origin}/health/ready`)).ok;
    for (const origin of origins) {
      await eventually(() => isReady(origin), { timeoutMs: READY_WITHIN_MS, message: 'The worker is not ready' });
    }
    return load;
  }

  begin(...operations: Operation[]): void {
    this.requested = operations;
    for (const operation of operations) while (this.outstanding[operation] < OUTSTANDING) this.publishOne(operation);
  }

  /** One photograph, from the request to the result at the broker. Rejects if it is not measured. */
  measure(operation: Operation): Promise<void> {
    return new Promise((resolve, reject) => {
      this.publishOne(operation, (outcome) => (`tire.${outcome}` === operation ? resolve() : reject(new Error(`a result of ${outcome}`))));
    });
  }

  /** Sends no more requests and waits for all results. */
  async end(): Promise<void> {
    this.requested = [];
    const isDone = () => OPERATIONS.every((operation) => this.outstanding[operation] === 0);
    await eventually(isDone, { timeoutMs: 120_000, message: 'The worker did not answer everything' });
  }

  async read(): Promise<Reading> {
    const metrics = await (await fetch(`${this.origin}/metrics`)).text();
    return { atMs: performance.now(), answers: { ...this.answers }, answeredMs: { ...this.answeredMs }, failed: this.failed, metrics };
  }

  residentMib(): number {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pids[0]}/status`, 'utf8'))?.[1]) / 1024;
  }

  private publishOne(operation: Operation, answered?: Answered): void {
    this.outstanding[operation]++;
    const assetId = this.assetIds[operation];
    const work = { projectId: newId(), reportId: newId(), slotId: `${operation}.front_left`, assetId, analysisId: newId() };
    if (answered) this.waiting.set(work.analysisId, answered);
    void this.publisher.publish(EVENT_OF[operation], work, { id: work.analysisId });
  }

  private answered(slotId: string, analysisId: string, outcome: string | undefined): void {
    const operation = OPERATIONS.find((one) => slotId.startsWith(one))!;
    this.outstanding[operation]--;
    this.answers[operation]++;
    this.answeredMs[operation] = performance.now();
    if (`tire.${outcome}` !== operation) this.failed++;
    this.waiting.get(analysisId)?.(outcome);
    this.waiting.delete(analysisId);
    if (this.requested.includes(operation)) this.publishOne(operation);
  }
}
