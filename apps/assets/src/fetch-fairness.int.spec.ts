import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import sharp from 'sharp';
import { startImageHost, startWorld } from './testing/world';

const SILENT_HOSTS = 50;
const SILENT_IMAGES = 200;
const FLOOD_IMAGES = 1_000;
/** A silent host holds its place for 15 s. */
const SOON_MS = 8_000;

/** Takes connections and says nothing, on as many addresses of this machine as there are hosts. */
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
  await once(server.listen(0, '0.0.0.0'), 'listening');
  const { port } = server.address() as AddressInfo;
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

describe('a partner whose hosts are silent', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let silent: Awaited<ReturnType<typeof startSilentHosts>>;
  let world: Awaited<ReturnType<typeof startWorld>>;

  beforeEach(async () => {
    host = await startImageHost();
    silent = await startSilentHosts();
    world = await startWorld(host, { allowedOrigins: silent.origins });
    const body = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'grey' } })
      .jpeg()
      .toBuffer();
    host.answers.set('/tire.jpg', () => ({ status: 200, body }));
  }, 60_000);

  afterEach(async () => {
    await silent?.stop();
    await world?.stop();
    await host?.stop();
  }, 60_000);

  const work = (projectId: string, url: string) => ({
    projectId,
    reportId: newId(),
    slotId: 'tire.tread.front_left',
    assetId: newId(),
    analysisId: newId(),
    url,
  });

  const askedOfSilentHosts = async (count: number): Promise<void> => {
    const projectId = newId();
    const works = Array.from({ length: count }, (_, index) => work(projectId, `${silent.origins[index % SILENT_HOSTS]}/${index}.jpg`));
    await Promise.all(works.map((each) => world.fetch(each)));
  };

  async function othersAreServed(images: number): Promise<void> {
    const projectId = newId();
    const works = Array.from({ length: images }, () => work(projectId, `${host.origin}/tire.jpg`));
    const beganMs = performance.now();
    for (const each of works) await world.fetch(each);
    for (const { assetId } of works) expect((await world.answered(assetId, 1, SOON_MS))[0]!.errorCode).toBe('');
    const tookMs = performance.now() - beganMs;
    console.log(`${images} images of another project were fetched in ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(SOON_MS);
  }

  it('holds half of the places and four at one host, and another one has its images in seconds', async () => {
    await askedOfSilentHosts(SILENT_IMAGES);
    await eventually(() => silent.most() === 16);
    await othersAreServed(8);
    expect([silent.most(), silent.mostOfOne() <= 4]).toEqual([16, true]);
  });

  it('may ask for more than can wait in a process: what has no room goes back and does not stand before what others ask for', async () => {
    await askedOfSilentHosts(FLOOD_IMAGES);
    await othersAreServed(8);
    expect(silent.most()).toBe(16);
  });
});
