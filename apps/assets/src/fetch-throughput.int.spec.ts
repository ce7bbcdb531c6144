import { newId } from '@tire/kernel';
import { eventually, spawnTypeScript, testCa } from '@tire/test-harness';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type AgentOptions, get } from 'node:https';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import sharp from 'sharp';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store';
import { startWorld } from './testing/world';

/** `npm run bench:fetch` asks for 200 and three rounds; a run of the tests only wants to know that none is lost. */
const IMAGES = Number(process.env['FETCH_BENCH_IMAGES'] ?? 24);
const ROUNDS = Number(process.env['FETCH_BENCH_ROUNDS'] ?? 1);
const TARGET = Number(process.env['FETCH_BENCH_TARGET'] ?? 0);
/** As many as the service has under way. */
const AT_ONCE = 8;

/** Noise, so that it is about a megabyte whatever the encoder does. */
async function photograph(): Promise<Buffer> {
  const [width, height] = [1_600, 1_200];
  const noise = sharp(randomBytes((width * height * 3) / 16), { raw: { width: width / 4, height: height / 4, channels: 3 } });
  return noise.resize(width, height, { kernel: 'cubic' }).jpeg({ quality: 93 }).toBuffer();
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** In a process of its own: what it does is not the service's. */
async function startBenchHost(image: Buffer) {
  const { ca, cert, key } = await testCa();
  const child = spawnTypeScript(join(__dirname, 'testing/bench-host.fixture.ts'));
  child.send({ cert, key, image: image.toString('base64') });
  const [port] = (await once(child, 'message')) as [number];
  return { ca, origin: `https://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

interface Took {
  readonly wallMs: number;
  /** Of this process: the service with its sender and listener, or the loop. */
  readonly cpuMs: number;
}

async function measured(work: () => Promise<void>): Promise<Took> {
  const [beganMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - beganMs, cpuMs: (user + system) / 1_000 };
}

describe('many images by URL', () => {
  let host: Awaited<ReturnType<typeof startBenchHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let bytes: Buffer;

  beforeAll(async () => {
    bytes = await photograph();
    host = await startBenchHost(bytes);
    world = await startWorld(host);
  }, 60_000);

  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  async function byTheService(): Promise<void> {
    const report = { projectId: newId(), reportId: newId() };
    const works = Array.from({ length: IMAGES }, () => ({
      ...report,
      slotId: 'tire.tread.front_left',
      assetId: newId(),
      analysisId: newId(),
      url: `${host.origin}/photograph.jpg`,
    }));
    await Promise.all(works.map((work) => world.fetch(work)));
    const answers = () => world.heard.filter(({ reportId }) => reportId === report.reportId);
    await eventually(() => answers().length >= IMAGES, { timeoutMs: 120_000, message: 'Some images were never answered' });
    expect(answers().filter(({ errorCode }) => errorCode !== '')).toEqual([]);
    expect(new Set(answers().map(({ assetId }) => assetId)).size).toBe(IMAGES);
  }

  const plainly = (agent: Agent): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      get(`${host.origin}/photograph.jpg`, { agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => resolve(Buffer.concat(chunks)));
        response.once('error', reject);
      }).once('error', reject);
    });

  /** Node's own client without the guard, the same store, as many at once, and nothing else: no queue, no look at the image, no record. */
  async function byAPlainLoop({ keepAlive }: { keepAlive: boolean }): Promise<void> {
    const agent = new Agent({ keepAlive, secureContext: createSecureContext({ ca: host.ca }) } as AgentOptions);
    const store = world.app.get<ObjectStore>(OBJECT_STORE, { strict: false });
    let left = IMAGES;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const body = await plainly(agent);
        await store.put(`plain/${newId()}`, body, { contentType: 'image/jpeg', cacheControl: 'private, max-age=60' });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    agent.destroy();
  }

  it('are all fetched, and at what part of the rate of a plain loop is printed', async () => {
    await byAPlainLoop({ keepAlive: false });
    await byTheService();
    const rounds: Record<'plain' | 'kept' | 'service', Took>[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({
        plain: await measured(() => byAPlainLoop({ keepAlive: false })),
        kept: await measured(() => byAPlainLoop({ keepAlive: true })),
        service: await measured(byTheService),
      });
    const ratio = median(rounds.map(({ plain, service }) => plain.wallMs / service.wallMs));
    const figures = (of: keyof (typeof rounds)[number]) => {
      const perSecond = (IMAGES * 1_000) / median(rounds.map((round) => round[of].wallMs));
      return `${perSecond.toFixed(0)}/s (${(median(rounds.map((round) => round[of].cpuMs)) / IMAGES).toFixed(1)} ms CPU each)`;
    };
    process.stdout.write(
      `${IMAGES} images of ${(bytes.length / 1e6).toFixed(2)} MB, median of ${ROUNDS} rounds: plain loop ${figures('plain')}, ` +
        `on kept connections ${figures('kept')}, service ${figures('service')}: ${(100 * ratio).toFixed(0)} %\n`,
    );
    expect(ratio).toBeGreaterThanOrEqual(TARGET);
  }, 600_000);
});
