import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EVENTS } from '@tire/contracts';
import { Consumers, EventingModule, Publisher } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { ensureNatsBinary, eventually, freePort, launch, startNatsServer } from '@tire/test-harness';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAssetsPeer } from './assets-peer';

/** In the stream beside what the worker has in hand: it never waits for the generator. */
const OUTSTANDING = 12;

export interface Reading {
  readonly atMs: number;
  readonly answers: number;
  readonly failed: number;
  readonly metrics: string;
}

/** Sum of the metric's lines that hold all of the given texts. */
export function metricOf(metrics: string, name: string, ...labels: string[]): number {
  const lines = metrics.split('\n').filter((line) => line.startsWith(name) && labels.every((label) => line.includes(label)));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** One inference process as in production, with a real broker, assets that answer over gRPC and HTTP, and photographs without end. */
export class WorkerUnderLoad {
  private asking = false;
  private outstanding = 0;
  private answers = 0;
  private failed = 0;
  private constructor(
    readonly pid: number,
    readonly origin: string,
    private readonly publisher: Publisher,
    private readonly assetId: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(folder: string, repository: string, photograph: string): Promise<WorkerUnderLoad> {
    const nats = await startNatsServer({ binary: await ensureNatsBinary(join(folder, 'nats-binary')), storeDir: join(folder, 'nats') });
    const [assetsPort, httpPort] = [await freePort(), await freePort()];
    const assets = await startAssetsPeer(assetsPort);
    const assetId = newId();
    assets.images.set(assetId, readFileSync(photograph));
    const worker = launch({
      command: process.execPath,
      args: [join(__dirname, '../src/main.js')],
      logFile: join(folder, 'inference.log'),
      stopSignal: 'SIGTERM',
      env: {
        ...{ NODE_ENV: 'production', LOG_LEVEL: 'warn', HTTP_HOST: '127.0.0.1', HTTP_PORT: String(httpPort), GRPC_PORT: '0' },
        ...{ NATS_URL: nats.url, ASSETS_GRPC_URL: `127.0.0.1:${assetsPort}`, GRPC_HOST: '127.0.0.1' },
        ...{ MODEL_REPOSITORY: repository, MODEL_REPOSITORY_LOOK_MS: '100', INFERENCE_OPERATIONS: 'tire.tread', MALLOC_ARENA_MAX: '2' },
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
    const origin = `http://127.0.0.1:${httpPort}`;
    const load = new WorkerUnderLoad(worker.pid, origin, app.get(Publisher), assetId, close);
    app.get(Consumers).consume({
      type: EVENTS.analysisFinished,
      durable: 'bench',
      concurrency: 64,
      handle: async ({ outcome }) => load.answered(outcome?.$case),
    });
    await eventually(async () => (await fetch(`${origin}/health/ready`)).ok, { timeoutMs: 60_000, message: 'The worker is not ready' });
    return load;
  }

  begin(): void {
    this.asking = true;
    while (this.outstanding < OUTSTANDING) this.ask();
  }

  /** Asks for nothing more and waits until all is answered. */
  async end(): Promise<void> {
    this.asking = false;
    await eventually(() => this.outstanding === 0, { timeoutMs: 120_000, message: 'The worker did not answer everything' });
  }

  async read(): Promise<Reading> {
    const metrics = await (await fetch(`${this.origin}/metrics`)).text();
    return { atMs: performance.now(), answers: this.answers, failed: this.failed, metrics };
  }

  residentMib(): number {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1024;
  }

  private ask(): void {
    this.outstanding++;
    const work = { projectId: newId(), reportId: newId(), slotId: 'tire.tread.front_left', assetId: this.assetId, analysisId: newId() };
    void this.publisher.publish(EVENTS.analyzeTread, work, { id: work.analysisId });
  }

  private answered(outcome: string | undefined): void {
    this.outstanding--;
    this.answers++;
    if (outcome !== 'tread') this.failed++;
    if (this.asking) this.ask();
  }
}
