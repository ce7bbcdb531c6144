import { newId } from '@tire/kernel';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { SECRETS, secretImages } from '../testing/secret-images.fixture';
import { startImageHost, startWorld } from '../testing/world';

describe('the logo of a project', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host);
  });
  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  const image = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: '#00f0' } });
  const newName = () => randomBytes(32).toString('hex');
  const store = async (projectId: string, bytes: Promise<Buffer>) =>
    world.assets.storeLogo({ projectId, image: await bytes, name: newName() });
  const shown = async (projectId: string, name: string) => {
    const response = await fetch((await world.assets.signLogo({ projectId, name })).url);
    return { status: response.status, type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it('is drawn again as a small PNG on white, beside the one before it', async () => {
    const projectId = newId();
    const first = await store(projectId, image(1_200, 600).png().toBuffer());
    expect(first).toMatchObject({ widthPx: 320, heightPx: 160 });
    const second = await store(projectId, image(960, 100).png().toBuffer());
    expect(second).toMatchObject({ widthPx: 480, heightPx: 50 });
    const { type, bytes } = await shown(projectId, second.name);
    const { channels, dominant } = await sharp(bytes).stats();
    expect([type, channels.length, dominant]).toEqual(['image/png', 3, { r: 248, g: 248, b: 248 }]);
    expect((await sharp((await shown(projectId, first.name)).bytes).metadata()).width).toBe(320);
    expect((await world.keys('logos/')).filter((key) => key.includes(projectId))).toEqual([]);
    expect(await world.keys('logos/')).toHaveLength(2);
  });

  it('has an object of its own for each upload, also of the same image', async () => {
    const projectId = newId();
    const bytes = image(40, 20).png().toBuffer();
    const [first, second] = [await store(projectId, bytes), await store(projectId, bytes)];
    expect(first.name).not.toBe(second.name);
    await world.assets.removeLogo({ projectId, name: first.name });
    expect((await shown(projectId, second.name)).status).toBe(200);
  });

  it('is not enlarged', async () => {
    expect(await store(newId(), image(40, 20).png().toBuffer())).toMatchObject({ widthPx: 40, heightPx: 20 });
  });

  it.each(Object.entries(secretImages()))('%s: no metadata reaches a visitor', async (_, make) => {
    const projectId = newId();
    const { name } = await world.assets.storeLogo({ projectId, image: await make(), name: newName() });
    const { bytes } = await shown(projectId, name);
    for (const secret of SECRETS) expect(bytes.includes(secret)).toBe(false);
  });

  it.each([
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a WebP', () => image(9, 9).webp().toBuffer()],
    ['a PNG that ends early', async () => (await image(90, 90).png().toBuffer()).subarray(0, 60)],
    ['more pixels than a logo has', () => image(5_000, 5_000).png().toBuffer()],
    ['more than 512 KiB', () => Buffer.alloc(512 * 1024 + 1)],
    ['nothing', () => Buffer.alloc(0)],
  ])('%s is refused, and the logo stays', async (_, make) => {
    const projectId = newId();
    const { name } = await store(projectId, image(40, 20).png().toBuffer());
    const { bytes } = await shown(projectId, name);
    await expect(world.assets.storeLogo({ projectId, image: await make(), name: newName() })).rejects.toMatchObject({
      code: 'validation_error',
      param: 'image',
    });
    expect((await shown(projectId, name)).bytes).toEqual(bytes);
  });

  it('is removed, once or twice', async () => {
    const projectId = newId();
    const [{ name }, other] = [
      await store(projectId, image(40, 20).png().toBuffer()),
      await store(projectId, image(20, 40).png().toBuffer()),
    ];
    await world.assets.removeLogo({ projectId, name });
    await world.assets.removeLogo({ projectId, name });
    expect([(await shown(projectId, name)).status, (await shown(projectId, other.name)).status]).toEqual([404, 200]);
  });

  it.each([
    ['project', '../x', 'a'.repeat(64)],
    ['name', newId(), '../x'],
  ])('of a malformed %s is not found', async (_, projectId, name) => {
    await expect(world.assets.signLogo({ projectId, name })).rejects.toMatchObject({ code: 'not_found' });
  });
});
