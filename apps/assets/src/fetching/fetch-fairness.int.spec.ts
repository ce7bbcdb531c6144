import { newId } from '@tire/kernel';
import { eventually, listenOnLoopback } from '@tire/test-harness';
import { createServer, type Socket } from 'node:net';
import sharp from 'sharp';
import { startImageHost, startWorld } from '../testing/world';

const SILENT_HOSTS = 50;
const SILENT_IMAGES = 200;
const FLOOD_IMAGES = 1_000;
const RESULT_TIMEOUT_MS = 60_000;
/** A host may learn of a new connection before the end of an old one, which the client gave up after 15 s. */
const LATE_ENDS = 2;

/** Hosts that accept connections and never respond, each on its own loopback address. */
async function startSilentHosts() {
  const sockets = new Set<Socket>();
  const mostOf = new Map<string, number>();
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    most = Math.max(most, sockets.size);
    const host = socket.localAddress ?? '';
    const ofHost = [...sockets].filter(({ localAddress }) => localAddress === host).length;
    mostOf.set(host, Math.max(mostOf.get(host) ?? 0, ofHost));
  });
  const port = await listenOnLoopback(server);
  return {
    origins: Array.from({ length: SILENT_HOSTS }, (_, index) => `https://127.0.0.${index + 2}:${port}`),
    most: () => most,
    mostOfOne: () => Math.max(...mostOf.values()),
    stop: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const work = (projectId: string, url: string) => ({
  projectId,
  reportId: newId(),
  slotId: 'tire.tread.front_left',
  assetId: newId(),
  analysisId: newId(),
  url,
});

const greyImage = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: 'grey' } })
    .jpeg()
    .toBuffer();

describe('a partner with silent hosts', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let silent: Awaited<ReturnType<typeof startSilentHosts>>;
  let world: Awaited<ReturnType<typeof startWorld>>;

  beforeEach(async () => {
    host = await startImageHost();
    silent = await startSilentHosts();
    world = await startWorld(host, { allowedOrigins: silent.origins });
    const body = await greyImage();
    host.answers.set('/tire.jpg', () => ({ status: 200, body }));
  });

  afterEach(async () => {
    await silent?.stop();
    await world?.stop();
    await host?.stop();
  });

  const fetchFromSilentHosts = async (count: number): Promise<string> => {
    const projectId = newId();
    const works = Array.from({ length: count }, (_, index) => work(projectId, `${silent.origins[index % SILENT_HOSTS]}/${index}.jpg`));
    await Promise.all(works.map((each) => world.fetch(each)));
    return projectId;
  };

  /** Images of another project are fetched while the first project still waits for its hosts. */
  async function expectOthersServed(images: number, silentProjectId: string, silentImages: number): Promise<void> {
    const projectId = newId();
    const works = Array.from({ length: images }, () => work(projectId, `${host.origin}/tire.jpg`));
    const beganMs = performance.now();
    for (const each of works) await world.fetch(each);
    for (const { assetId } of works) expect((await world.results(assetId, 1, RESULT_TIMEOUT_MS))[0]!.errorCode).toBe('');
    console.log(`${images} images of another project were fetched in ${(performance.now() - beganMs).toFixed(0)} ms`);
    expect(world.received.filter((result) => result.projectId === silentProjectId).length).toBeLessThan(silentImages);
  }

  it('holds a third of the places and at most four for one host, and another project is served meanwhile', async () => {
    const projectId = await fetchFromSilentHosts(SILENT_IMAGES);
    await eventually(() => silent.most() >= 16);
    expect([silent.most(), silent.mostOfOne() <= 4]).toEqual([16, true]);
    await expectOthersServed(8, projectId, SILENT_IMAGES);
    expect(silent.most()).toBeLessThanOrEqual(16 + LATE_ENDS);
    expect(silent.mostOfOne()).toBeLessThanOrEqual(4 + LATE_ENDS);
  }, 120_000);

  it('finds a place beside ten other projects with silent hosts', async () => {
    await Promise.all(Array.from({ length: 10 }, () => fetchFromSilentHosts(50)));
    await eventually(() => silent.most() >= 40);
    const projectId = newId();
    const works = Array.from({ length: 8 }, () => work(projectId, `${host.origin}/tire.jpg`));
    for (const each of works) await world.fetch(each);
    for (const { assetId } of works) expect((await world.results(assetId, 1, RESULT_TIMEOUT_MS))[0]!.errorCode).toBe('');
    // It did not wait for the time limit of a silent host.
    expect(world.received[0]!.projectId).toBe(projectId);
  }, 120_000);

  it('may request more than can wait in a process: the rest goes back to the queue and does not block others', async () => {
    const projectId = await fetchFromSilentHosts(FLOOD_IMAGES);
    await expectOthersServed(8, projectId, FLOOD_IMAGES);
    expect(silent.most()).toBeGreaterThanOrEqual(16);
    expect(silent.most()).toBeLessThanOrEqual(16 + LATE_ENDS);
  }, 120_000);
});

describe('a partner whose addresses fail at once', () => {
  const FAILING = 128;
  const FAILURES_AT_ONCE = 16;

  it('has its first results at once and then sixteen in a second, and images of another project on the same host are fetched meanwhile', async () => {
    const host = await startImageHost();
    const world = await startWorld(host);
    try {
      const body = await greyImage();
      host.answers.set('/tire.jpg', () => ({ status: 200, body }));
      const [failing, other] = [newId(), newId()];
      const failed = () => world.received.filter(({ projectId }) => projectId === failing).length;
      const beganMs = performance.now();
      await Promise.all(Array.from({ length: FAILING }, (_, n) => world.fetch(work(failing, `${host.origin}/missing-${n}.jpg`))));
      await eventually(() => failed() >= FAILURES_AT_ONCE, { timeoutMs: RESULT_TIMEOUT_MS });
      const works = Array.from({ length: 8 }, () => work(other, `${host.origin}/tire.jpg`));
      for (const each of works) await world.fetch(each);
      for (const { assetId } of works) expect((await world.results(assetId, 1, RESULT_TIMEOUT_MS))[0]!.errorCode).toBe('');
      await eventually(() => failed() === FAILING, { timeoutMs: RESULT_TIMEOUT_MS });
      // Eight times sixteen places, of which the first are free at once.
      expect(performance.now() - beganMs).toBeGreaterThanOrEqual((FAILING / FAILURES_AT_ONCE - 1) * 1_000);
    } finally {
      await world.stop();
      await host.stop();
    }
  }, 120_000);
});
