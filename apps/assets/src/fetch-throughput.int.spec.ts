import { newId } from '@tire/kernel';
import { cpuMsOf, eventually, spawnTypeScript, testCa } from '@tire/test-harness';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import sharp from 'sharp';
import type { LoopOrder, LoopTook } from './testing/plain-loop.fixture';
import { startWorld } from './testing/world';

/** `npm run bench:fetch` asks for 200 and three rounds; a run of the tests only wants to know that none is lost. */
const IMAGES = Number(process.env['FETCH_BENCH_IMAGES'] ?? 24);
const ROUNDS = Number(process.env['FETCH_BENCH_ROUNDS'] ?? 1);
const TARGET = Number(process.env['FETCH_BENCH_TARGET'] ?? 0);
/** As many as the service has under way of one host. */
const AT_ONCE = 16;

/** Noise, so that it is about a megabyte whatever the encoder does. */
async function photograph(): Promise<Buffer> {
  const [width, height] = [1_600, 1_200];
  const noise = sharp(randomBytes((width * height * 3) / 16), { raw: { width: width / 4, height: height / 4, channels: 3 } });
  return noise.resize(width, height, { kernel: 'cubic' }).jpeg({ quality: 93 }).toBuffer();
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Each in a process of its own, as the service is: what one does is not counted as another's, and none runs inside the test's runner. */
const start = (file: string, env: NodeJS.ProcessEnv = {}): ChildProcess => spawnTypeScript(join(__dirname, file), [], env);

async function startBenchHost(image: Buffer) {
  const { ca, cert, key } = await testCa();
  const child = start('testing/bench-host.fixture.ts');
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
    bytes = await photograph();
    host = await startBenchHost(bytes);
    world = await startWorld(host);
    await world.app.close();
    looper = start('testing/plain-loop.fixture.ts');
    service = start('main.ts', { ...world.environment, LOG_LEVEL: 'error' });
    const health = `http://127.0.0.1:${world.environment.HTTP_PORT}/health/ready`;
    await eventually(async () => (await fetch(health).catch(() => undefined))?.ok, { timeoutMs: 60_000 });
  }, 120_000);

  afterAll(async () => {
    const ended = service && once(service, 'exit');
    service?.kill();
    looper?.disconnect();
    await ended;
    await world?.stop();
    await host?.stop();
  });

  async function askForAll(): Promise<void> {
    const report = { projectId: newId(), reportId: newId() };
    const heardBefore = world.heard.length;
    const works = Array.from({ length: IMAGES }, () => ({
      ...report,
      slotId: 'tire.tread.front_left',
      assetId: newId(),
      analysisId: newId(),
      url: `${host.origin}/photograph.jpg`,
    }));
    await Promise.all(works.map((work) => world.fetch(work)));
    const all = () => world.heard.length - heardBefore >= IMAGES;
    await eventually(all, { timeoutMs: 120_000, message: 'Some images were never answered' });
    const answers = world.heard.slice(heardBefore);
    expect(answers.filter(({ errorCode }) => errorCode !== '')).toEqual([]);
    expect(new Set(answers.map(({ assetId }) => assetId)).size).toBe(IMAGES);
  }

  /** From the first one that is asked for to the last answer. */
  async function byTheService(): Promise<LoopTook> {
    const cpuMs = async () => (await cpuMsOf({ service: service.pid! }))['service']!;
    const [beganMs, beganCpuMs] = [performance.now(), await cpuMs()];
    await askForAll();
    return { wallMs: performance.now() - beganMs, cpuMs: (await cpuMs()) - beganCpuMs };
  }

  async function byAPlainLoop({ keepAlive }: { keepAlive: boolean }): Promise<LoopTook> {
    const url = `${host.origin}/photograph.jpg`;
    looper.send({ environment: world.environment, url, ca: host.ca, images: IMAGES, atOnce: AT_ONCE, keepAlive } satisfies LoopOrder);
    const failed = once(looper, 'exit').then(() => Promise.reject(new Error('The loop failed')));
    const [took] = (await Promise.race([once(looper, 'message'), failed])) as [LoopTook];
    return took;
  }

  const round = async () => ({
    plain: await byAPlainLoop({ keepAlive: false }),
    kept: await byAPlainLoop({ keepAlive: true }),
    service: await byTheService(),
  });

  it('are all fetched, and at what part of the rate of a plain loop is printed', async () => {
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
