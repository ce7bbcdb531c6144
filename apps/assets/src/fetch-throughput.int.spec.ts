import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { randomBytes } from 'node:crypto';
import { Agent, type AgentOptions, get } from 'node:https';
import { createSecureContext } from 'node:tls';
import sharp from 'sharp';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store';
import { startImageHost, startWorld } from './testing/world';

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

describe('many images by URL', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let bytes: Buffer;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host);
    bytes = await photograph();
    host.answers.set('/photograph.jpg', () => ({ status: 200, headers: { 'content-type': 'image/jpeg' }, body: bytes }));
  }, 60_000);

  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  async function byTheService(): Promise<number> {
    const report = { projectId: newId(), reportId: newId() };
    const works = Array.from({ length: IMAGES }, () => ({
      ...report,
      slotId: 'tire.tread.front_left',
      assetId: newId(),
      analysisId: newId(),
      url: `${host.origin}/photograph.jpg`,
    }));
    const beganMs = performance.now();
    await Promise.all(works.map((work) => world.fetch(work)));
    const answers = () => world.heard.filter(({ reportId }) => reportId === report.reportId);
    await eventually(() => answers().length >= IMAGES, { timeoutMs: 120_000, message: 'Some images were never answered' });
    const tookMs = performance.now() - beganMs;
    expect(answers().filter(({ errorCode }) => errorCode !== '')).toEqual([]);
    expect(new Set(answers().map(({ assetId }) => assetId)).size).toBe(IMAGES);
    return tookMs;
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
  async function byAPlainLoop({ keepAlive }: { keepAlive: boolean }): Promise<number> {
    const agent = new Agent({ keepAlive, secureContext: createSecureContext({ ca: host.ca }) } as AgentOptions);
    const store = world.app.get<ObjectStore>(OBJECT_STORE, { strict: false });
    const beganMs = performance.now();
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
    return performance.now() - beganMs;
  }

  it('are all fetched, and at what part of the rate of a plain loop is printed', async () => {
    await byAPlainLoop({ keepAlive: false });
    await byTheService();
    const rounds: { plainMs: number; keptMs: number; serviceMs: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({
        plainMs: await byAPlainLoop({ keepAlive: false }),
        keptMs: await byAPlainLoop({ keepAlive: true }),
        serviceMs: await byTheService(),
      });
    const ratio = median(rounds.map(({ plainMs, serviceMs }) => plainMs / serviceMs));
    const perSecond = (of: keyof (typeof rounds)[number]) => ((IMAGES * 1_000) / median(rounds.map((round) => round[of]))).toFixed(0);
    process.stdout.write(
      `${IMAGES} images of ${(bytes.length / 1e6).toFixed(2)} MB, median of ${ROUNDS} rounds: plain loop ${perSecond('plainMs')}/s ` +
        `(on kept connections ${perSecond('keptMs')}/s), service ${perSecond('serviceMs')}/s, ${(100 * ratio).toFixed(0)} %\n`,
    );
    expect(ratio).toBeGreaterThanOrEqual(TARGET);
  }, 600_000);
});
