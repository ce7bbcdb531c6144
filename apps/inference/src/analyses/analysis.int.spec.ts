import { credentials, makeGenericClientConstructor, type requestCallback } from '@grpc/grpc-js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AnalysisFinished, type AnalyzeImage, EVENTS } from '@tire/contracts/events';
import { Consumers, Publisher } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { HealthRegistry, parseEnvironment, startService } from '@tire/platform';
import { END, eventually, freePort, header, pixels, png, startNats, type TestNats } from '@tire/test-harness';
import { service as healthService } from 'grpc-health-check';
import { join } from 'node:path';
import sharp from 'sharp';
import { AppModule } from '../app.module';
import { configSchema } from '../config';
import { Engine } from '../engine/engine';
import { type AssetsPeer, startAssetsPeer } from '../../bench/assets-peer';
import { drawnSamples, type Samples } from '../testing/samples.fixture';

const never = new AbortController().signal;
/** For a fact that never occurs. Where ten programs wait for each core, a model starts for minutes. */
const PATIENCE = { timeoutMs: 900_000 };
jest.setTimeout(1_000_000);
interface Held {
  readonly pid?: number;
  readonly inProcess: Map<number, unknown>;
}
/** A stopped process gets the signal once it goes on. */
function crash(pid: number): void {
  process.kill(pid, 'SIGABRT');
  process.kill(pid, 'SIGCONT');
}
const black = () =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#000' } })
    .jpeg()
    .toBuffer();

describe('analyses requested over NATS', () => {
  let nats: TestNats;
  let assets: AssetsPeer;
  let assetsPort: number;
  let grpcPort: number;
  let app: NestFastifyApplication;
  let samples: Samples;
  const received: AnalysisFinished[] = [];

  beforeAll(async () => {
    [assetsPort, grpcPort] = [await freePort(), await freePort()];
    [nats, assets, samples] = await Promise.all([startNats(), startAssetsPeer(assetsPort), drawnSamples()]);
    const config = parseEnvironment(configSchema, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: '0',
      OPERATIONS_PORT: '0',
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: String(grpcPort),
      NATS_URL: nats.url,
      ASSETS_GRPC_URL: `127.0.0.1:${assetsPort}`,
      MODEL_REPOSITORY: join(__dirname, '../../models'),
      // The service runs in the process of Jest, whose memory is not the service's. Its guard would end that process.
      MEMORY_CEILING_MIB: '65536',
    });
    app = await startService({ name: 'inference', module: (given) => AppModule.forRoot(given), grpc: [] }, config);
    app.get(Consumers).consume({
      type: EVENTS.analysisFinished,
      durable: 'inference-int-spec',
      handle: async (message) => void received.push(message),
    });
    await eventually(() => app.get(HealthRegistry).isReady(), PATIENCE);
  });

  afterAll(async () => {
    await app?.close();
    await Promise.all([nats?.stop(), assets?.close()]);
  });

  async function ask(imageType: 'tread' | 'sidewall', bytes: Buffer | undefined): Promise<AnalyzeImage> {
    const work = { projectId: newId(), reportId: newId(), slotId: `tire.${imageType}.front_left`, assetId: newId(), analysisId: newId() };
    if (bytes) assets.images.set(work.assetId, bytes);
    await app.get(Publisher).publish(imageType === 'tread' ? EVENTS.analyzeTread : EVENTS.analyzeSidewall, work, { id: work.analysisId });
    return work;
  }

  const answerTo = (work: AnalyzeImage) =>
    eventually(async () => received.find(({ analysisId }) => analysisId === work.analysisId), PATIENCE);

  it('publish the measurement of a tread', async () => {
    const work = await ask('tread', await samples.read('tread', 'front_left'));
    const { outcome, imageHash, ...rest } = await answerTo(work);
    expect(imageHash).toMatch(/^[0-9a-f]{16}$/);
    expect(rest).toMatchObject({ projectId: work.projectId, reportId: work.reportId, slotId: work.slotId, model: 'tire-tread@3.2.0' });
    expect(outcome).toMatchObject({ $case: 'tread', value: { vehicleSide: 'unknown', quality: { recognized: true } } });
    expect(outcome?.$case === 'tread' && outcome.value.grooveMasks).toHaveLength(4);
  });

  it('publish the size of a sidewall', async () => {
    const { outcome } = await answerTo(await ask('sidewall', await samples.read('sidewall', 'rear_left')));
    expect(outcome).toMatchObject({
      $case: 'sidewall',
      value: { quality: { recognized: true }, size: { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 } },
    });
  });

  it('order treads by wear', async () => {
    const positions = ['front_left', 'front_right', 'rear_left', 'rear_right'];
    const works = await Promise.all(positions.map(async (position) => ask('tread', await samples.read('tread', position))));
    const depths: number[] = [];
    for (const work of works) {
      const { outcome } = await answerTo(work);
      depths.push((outcome?.$case === 'tread' && outcome.value.aggregatedRemainingDepthMm) || NaN);
    }
    expect(depths).toEqual([...depths].sort((a, b) => b - a));
  });

  it.each<[string, 'tread' | 'sidewall', () => Promise<Buffer>, string, string | null]>([
    ['a black frame for a tread', 'tread', black, 'tread_not_found', 'not_a_tread'],
    [
      '40 pixels',
      'tread',
      () =>
        sharp({ create: { width: 40, height: 40, channels: 3, background: '#333' } })
          .png()
          .toBuffer(),
      'image_too_small',
      null,
    ],
    ['a truncated file', 'tread', async () => (await samples.read('tread', 'front_left')).subarray(0, 20_000), 'image_undecodable', null],
    ['a sidewall in a tread slot', 'tread', () => samples.read('sidewall', 'front_left'), 'tread_not_found', 'wheel_in_tread_slot'],
    ['a tread in a sidewall slot', 'sidewall', () => samples.read('tread', 'front_left'), 'sidewall_not_found', 'tread_in_sidewall_slot'],
  ])('publish a public error code for %s', async (_, imageType, make, errorCode, reason) => {
    const { outcome, imageHash, retakeReasons } = await answerTo(await ask(imageType, await make()));
    expect(outcome).toEqual({ $case: 'errorCode', value: errorCode });
    // Pixels that were decoded have a hash, whether they can be measured or not.
    expect([retakeReasons.at(-1) ?? null, imageHash !== undefined]).toEqual([reason, reason !== null]);
  });

  it('wait while the assets service is unavailable', async () => {
    const images = assets.images;
    await assets.close();
    const work = await ask('tread', undefined);
    assets = await startAssetsPeer(assetsPort);
    images.forEach((bytes, id) => assets.images.set(id, bytes));
    assets.images.set(work.assetId, await samples.read('tread', 'front_right'));
    expect((await answerTo(work)).outcome?.$case).toBe('tread');
  });

  it('are repeated when the process of a model dies, and the image that it worked on runs alone', async () => {
    const engine = app.get(Engine);
    const worker = await engine.use('tire.tread', never, async (lent) => lent);
    const first = worker.pid;
    const alone = jest.spyOn(engine, 'useAlone');
    const bytes = await samples.read('tread', 'rear_left');
    process.kill(first!, 'SIGSTOP');
    const works = await Promise.all([1, 2, 3].map(() => ask('tread', bytes)));
    const internals = worker as unknown as { inProcess: Map<number, unknown> };
    await eventually(async () => internals.inProcess.size > 0, PATIENCE);
    process.kill(first!, 'SIGKILL');
    for (const work of works) expect((await answerTo(work)).outcome?.$case).toBe('tread');
    expect(worker.pid).not.toBe(first);
    expect(alone).toHaveBeenCalledTimes(1);
    alone.mockRestore();
  });

  it('are refused with a hint when the image broke its process twice, the second time alone; others are measured', async () => {
    const engine = app.get(Engine);
    const worker = (await engine.use('tire.tread', never, async (lent) => lent)) as unknown as Held;
    const bytes = await samples.read('tread', 'rear_left');
    // Stopped before it begins, so that it cannot end before the test breaks it.
    let second: Held | undefined;
    const useAlone = engine.useAlone.bind(engine);
    const alone = jest.spyOn(engine, 'useAlone').mockImplementationOnce((operation, signal, work, begins) =>
      useAlone(
        operation,
        signal,
        (lent) => {
          process.kill(lent.pid!, 'SIGSTOP');
          const measured = work(lent);
          second = lent as unknown as Held;
          return measured;
        },
        begins,
      ),
    );
    process.kill(worker.pid!, 'SIGSTOP');
    const poison = await ask('tread', bytes);
    await eventually(async () => worker.inProcess.size > 0, PATIENCE);
    crash(worker.pid!);
    crash((await eventually(async () => second, PATIENCE)).pid!);
    alone.mockRestore();
    expect((await answerTo(await ask('tread', bytes))).outcome?.$case).toBe('tread');
    expect(await answerTo(poison)).toMatchObject({
      outcome: { $case: 'errorCode', value: 'analysis_failed' },
      retakeReasons: ['unmeasurable'],
    });
  });

  it('of heavy images take one place: an image of a camera is measured while they wait', async () => {
    const heavy = png(header(5_000, 4_000, { depth: 16, colour: 6, interlace: 1 }), pixels(160_008_000), END);
    const bombs = await Promise.all(Array.from({ length: 3 }, () => ask('tread', heavy)));
    const work = await ask('tread', await samples.read('tread', 'rear_left'));
    const isAnswered = ({ analysisId }: AnalyzeImage) => received.some((answer) => answer.analysisId === analysisId);
    expect((await answerTo(work)).outcome?.$case).toBe('tread');
    expect(bombs.filter(isAnswered).length).toBeLessThan(bombs.length);
    for (const bomb of bombs) expect((await answerTo(bomb)).outcome).toEqual({ $case: 'errorCode', value: 'tread_not_found' });
  });

  it('answers the health check over gRPC', async () => {
    const Health = makeGenericClientConstructor(healthService, 'Health');
    const client = new Health(`127.0.0.1:${grpcPort}`, credentials.createInsecure());
    const status = () =>
      new Promise<string>((resolve, reject) => {
        const method = client['check'] as unknown as (request: object, callback: requestCallback<{ status: string }>) => unknown;
        method.call(client, { service: '' }, (error, answer) => (error ? reject(error) : resolve(answer!.status)));
      });
    await eventually(async () => (await status()) === 'SERVING', PATIENCE);
    client.close();
  });
});
