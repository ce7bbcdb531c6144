import { newId } from '@tire/kernel';
import { cpuMsOf, eventually, spawnTypeScript, testCa } from '@tire/test-harness';
import { median } from '@tire/test-harness/bench';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import sharp from 'sharp';
import type { LoopSettings, LoopTimes } from '../testing/plain-loop.fixture';
import { startWorld } from '../testing/world';

/** `npm run bench:fetch` sets these. A run of the tests only checks that every image is fetched. */
const IMAGES = Number(process.env['FETCH_BENCH_IMAGES'] ?? 24);
const ROUNDS = Number(process.env['FETCH_BENCH_ROUNDS'] ?? 1);
const TARGET = Number(process.env['FETCH_BENCH_TARGET'] ?? 0);
/** The number of concurrent fetches from one host in the service. */
const AT_ONCE = 16;

/** Noise, which compresses to about a megabyte. */
async function noiseImage(): Promise<Buffer> {
  const [width, height] = [1_600, 1_200];
  const noise = sharp(randomBytes((width * height * 3) / 16), { raw: { width: width / 4, height: height / 4, channels: 3 } });
  return noise.resize(width, height, { kernel: 'cubic' }).jpeg({ quality: 93 }).toBuffer();
}

/** Service, host and loop run in separate processes, so that their CPU times are separate. */
const start = (file: string, env: NodeJS.ProcessEnv = {}): ChildProcess => spawnTypeScript(join(__dirname, file), [], env);

async function startBenchHost(image: Buffer) {
  const { ca, cert, key } = await testCa();
  const child = start('../testing/bench-host.fixture.ts');
  child.send({ cert, key, image: image.toString('base64') });
  const [port] = (await once(child, 'message')) as [number];
  return { ca, origin: `https://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

describe('many images by URL', () => {
  let host: Awaited<ReturnType<typeof startBenchHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let service: ChildProcess;
  let looper: ChildProcess;
  let bytes: Buffer;

  beforeAll(async () => {
    bytes = await noiseImage();
    host = await startBenchHost(bytes);
    world = await startWorld(host);
    await world.app.close();
    looper = start('../testing/plain-loop.fixture.ts');
    service = start('../main.ts', { ...world.environment, LOG_LEVEL: 'error' });
    const health = `http://127.0.0.1:${world.environment.OPERATIONS_PORT}/health/ready`;
    await eventually(async () => (await fetch(health).catch(() => undefined))?.ok, { timeoutMs: 180_000 });
  }, 240_000);

  afterAll(async () => {
    const ended = service && once(service, 'exit');
    service?.kill();
    looper?.disconnect();
    await ended;
    await world?.stop();
    await host?.stop();
  });

  async function fetchAll(): Promise<void> {
    const report = { projectId: newId(), reportId: newId() };
    const receivedBefore = world.received.length;
    const works = Array.from({ length: IMAGES }, () => ({
      ...report,
      slotId: 'tire.tread.front_left',
      assetId: newId(),
      analysisId: newId(),
      url: `${host.origin}/image.jpg`,
    }));
    await Promise.all(works.map((work) => world.fetch(work)));
    const all = () => world.received.length - receivedBefore >= IMAGES;
    await eventually(all, { timeoutMs: 120_000, message: 'Some images have no result' });
    const results = world.received.slice(receivedBefore);
    expect(results.filter(({ errorCode }) => errorCode !== '')).toEqual([]);
    expect(new Set(results.map(({ assetId }) => assetId)).size).toBe(IMAGES);
  }

  /** Measures from the first message to the last result. */
  async function byTheService(): Promise<LoopTimes> {
    const cpuMs = async () => (await cpuMsOf({ service: service.pid! }))['service']!;
    const [beganMs, beganCpuMs] = [performance.now(), await cpuMs()];
    await fetchAll();
    return { wallMs: performance.now() - beganMs, cpuMs: (await cpuMs()) - beganCpuMs };
  }

  async function byAPlainLoop({ keepAlive }: { keepAlive: boolean }): Promise<LoopTimes> {
    const url = `${host.origin}/image.jpg`;
    looper.send({ environment: world.environment, url, ca: host.ca, images: IMAGES, atOnce: AT_ONCE, keepAlive } satisfies LoopSettings);
    const failed = once(looper, 'exit').then(() => Promise.reject(new Error('The loop failed')));
    const [took] = (await Promise.race([once(looper, 'message'), failed])) as [LoopTimes];
    return took;
  }

  const round = async () => ({
    plain: await byAPlainLoop({ keepAlive: false }),
    kept: await byAPlainLoop({ keepAlive: true }),
    service: await byTheService(),
  });

  it('are all fetched; the rate compared with a plain loop is printed', async () => {
    await round();
    const rounds: Awaited<ReturnType<typeof round>>[] = [];
    while (rounds.length < ROUNDS) rounds.push(await round());
    const ratio = (of: 'plain' | 'kept') => median(rounds.map((each) => each[of].wallMs / each.service.wallMs));
    const figures = (of: keyof (typeof rounds)[number]) => {
      const perSecond = (IMAGES * 1_000) / median(rounds.map((each) => each[of].wallMs));
      return `${perSecond.toFixed(0)}/s (${(median(rounds.map((each) => each[of].cpuMs)) / IMAGES).toFixed(1)} ms CPU each)`;
    };
    process.stdout.write(
      `${IMAGES} images of ${(bytes.length / 1e6).toFixed(2)} MB, median of ${ROUNDS} rounds: service ${figures('service')}, ` +
        `plain loop ${figures('plain')}: ${(100 * ratio('plain')).toFixed(0)} %, ` +
        `plain loop on kept connections ${figures('kept')}: ${(100 * ratio('kept')).toFixed(0)} %\n`,
    );
    expect(ratio('plain')).toBeGreaterThanOrEqual(TARGET);
  }, 600_000);
});
