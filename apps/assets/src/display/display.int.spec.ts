import { newId } from '@tire/kernel';
import { DecoderKilled, DecoderLost, ImageDecoder } from '@tire/platform/images';
import { chunk, END, eventually, header, pixels, png } from '@tire/test-harness';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { DISPLAY, DISPLAY_RECIPE, DISPLAY_SIZES, RECORD_OF } from '../domain/display';
import type { ObjectStore } from '../object-store/object-store';
import { SECRETS, secretImages } from '../testing/secret-images.fixture';
import { startImageHost, startWorld } from '../testing/world';
import { OBJECT_STORE } from '../tokens';

const SLOT = 'tire.tread.front_left';
const MIB = 1024 * 1024;
/** The timeout allows for a busy machine. */
const PATIENCE_MS = 60_000;

describe('what people see of an image', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let plain: Buffer;
  let laterMs = 0;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host, { clock: { now: () => new Date(Date.now() + laterMs) } });
    plain = await sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    laterMs = 0;
  });
  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  async function registered(bytes: Buffer) {
    const report = { projectId: newId(), reportId: newId() };
    const [target] = (await world.assets.issueTargets({ ...report, slotIds: [SLOT] })).targets;
    const headers = { 'content-type': 'image/jpeg', 'cache-control': 'max-age=60' };
    await fetch(target!.uploadUrl, { method: 'PUT', body: new Uint8Array(bytes), headers });
    await world.assets.registerUploads({ ...report, uploads: [{ assetId: target!.assetId, slotId: SLOT }] });
    return { ...report, assetId: target!.assetId };
  }
  const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
  const forPage = async ({ projectId, assetId }: { projectId: string; assetId: string }) =>
    (await world.assets.signPageImages({ projectId, assetIds: [assetId] })).answers[0]!;
  const signedAll = async (asset: Awaited<ReturnType<typeof registered>>) => {
    const { thumbnailUrl } = (await forPage(asset)).image!;
    return { ...(await world.assets.signDisplay(asset)), thumbnailUrl };
  };
  const seen = async (bytes: Buffer) => {
    const signed = await signedAll(await registered(bytes));
    const [large, small, thumbnail] = await Promise.all([signed.url, signed.smallUrl, signed.thumbnailUrl].map(bytesAt));
    return { signed, large: large!, small: small!, thumbnail: thumbnail! };
  };
  const recordOf = async ({ assetId }: { assetId: string }) =>
    (await world.sql<{ record: number }>('SELECT display_recipe AS record FROM assets WHERE asset_id = $1', [assetId]))[0]!.record;
  const displayed = () => world.keys('display/');
  const decoder = () => world.app.get(ImageDecoder, { strict: false });
  const makes = () => jest.spyOn(decoder(), 'copies');

  it.each(Object.entries(secretImages()))('%s: no byte that people get holds the position, the owner or the device', async (_, make) => {
    const original = await make();
    expect(SECRETS.some((secret) => original.includes(secret))).toBe(true);
    const { large, small, thumbnail } = await seen(original);
    for (const [bytes, expected] of [
      [large, 'jpeg'],
      [small, 'jpeg'],
      [thumbnail, 'webp'],
    ] as const) {
      for (const secret of SECRETS) expect([secret, bytes.includes(secret)]).toEqual([secret, false]);
      const { format, exif, xmp, iptc, icc, comments, orientation } = await sharp(bytes).metadata();
      expect({ format, exif, xmp, iptc, icc, comments, orientation }).toEqual({ format: expected });
    }
  });

  it('is a JPEG in the size of a page, one in the size of paper and a WebP for a page, at addresses without any id', async () => {
    const asset = await registered(plain);
    const { url, smallUrl, thumbnailUrl, ...facts } = await signedAll(asset);
    expect(facts).toMatchObject({ orientation: 1, widthPx: 2_000, heightPx: 1_000 });
    for (const [address, width, type] of [
      [url, 1_600, 'image/jpeg'],
      [smallUrl, 480, 'image/jpeg'],
      [thumbnailUrl, 960, 'image/webp'],
    ] as const) {
      const answer = await fetch(address);
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        type,
        'private, max-age=60',
      ]);
      expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width, height: width / 2 });
      for (const id of [asset.projectId, asset.reportId, asset.assetId]) expect(address).not.toContain(id);
    }
    expect(Date.parse(facts.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('shows EXIF orientation %i as a viewer does', async (orientation) => {
    const quarters = { create: { width: 64, height: 32, channels: 3 as const, background: '#ffffff' } };
    const dark = await sharp({ create: { width: 32, height: 16, channels: 3, background: '#000000' } })
      .png()
      .toBuffer();
    const stored = await sharp(quarters)
      .composite([{ input: dark, left: 0, top: 0 }])
      .withMetadata({ orientation })
      .jpeg({ quality: 100 })
      .toBuffer();
    const expected = await sharp(stored).autoOrient().raw().toBuffer({ resolveWithObject: true });
    const { large, signed } = await seen(stored);
    expect(signed).toMatchObject({ orientation, widthPx: 64, heightPx: 32 });
    const { data, info } = await sharp(large).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([expected.info.width, expected.info.height]);
    const difference = data.reduce((sum, value, at) => sum + Math.abs(value - expected.data[at]!), 0) / data.length;
    expect(difference).toBeLessThan(8);
  });

  it.each([
    ['with the most detail', () => ({ type: 'gaussian', mean: 128, sigma: 60 }) as const, 2_400],
    ['without detail', () => undefined, 2_400],
    ['of a few pixels', () => ({ type: 'gaussian', mean: 128, sigma: 60 }) as const, 30],
  ])('a thumbnail of an image %s has no more bytes than its limit', async (_, noise, widthPx) => {
    const drawn = { width: widthPx, height: widthPx / 2, channels: 3 as const, background: '#456', ...(noise() && { noise: noise()! }) };
    const image = await sharp({ create: drawn }).jpeg({ quality: 95 }).toBuffer();
    const { thumbnail } = await seen(image);
    expect(thumbnail.length).toBeLessThanOrEqual(DISPLAY.thumbnail.bytesMax!);
    const { width, height } = await sharp(thumbnail).metadata();
    expect(Math.abs(width! / height! - 2)).toBeLessThan(0.05);
    if (widthPx === 30 || !noise()) expect(width).toBe(Math.min(widthPx, 960));
  });

  it('is made again where an older release made it, at the next use', async () => {
    const asset = await registered(plain);
    await world.assets.signDisplay(asset);
    await world.sql('UPDATE assets SET display_recipe = $2 WHERE asset_id = $1', [asset.assetId, DISPLAY_RECIPE - 1]);
    const make = makes();
    const { image } = await forPage(asset);
    await world.assets.signDisplay(asset);
    expect([make.mock.calls.length, (await fetch(image!.thumbnailUrl)).status]).toEqual([2, 200]);
  });

  it('is made for a page without what only the console shows, which is made at its first use', async () => {
    const make = makes();
    const made = () => make.mock.calls.map(([, , copies]) => copies);
    const asset = await registered(plain);
    const { image } = await forPage(asset);
    expect([made(), await recordOf(asset)]).toEqual([[[DISPLAY.small, DISPLAY.thumbnail]], RECORD_OF.page]);
    const { url, smallUrl } = await world.assets.signDisplay(asset);
    expect([made().slice(1), await recordOf(asset)]).toEqual([[[DISPLAY.large]], RECORD_OF.all]);
    for (const address of [url, smallUrl, image!.thumbnailUrl]) expect((await fetch(address)).status).toBe(200);
    await forPage(asset);
    await world.assets.signDisplay(asset);
    expect(make).toHaveBeenCalledTimes(2);
  });

  it('is made once where a page and the console wait for it together', async () => {
    const make = makes();
    const asset = await registered(plain);
    await Promise.all([forPage(asset), world.assets.signDisplay(asset), forPage(asset)]);
    const sizes = make.mock.calls.flatMap(([, , copies]) => copies);
    expect(sizes.toSorted((a, b) => a.longSidePx - b.longSidePx)).toEqual([DISPLAY.small, DISPLAY.thumbnail, DISPLAY.large]);
  });

  it('stays recorded where another process stores what a page shows later', async () => {
    const asset = await registered(plain);
    const copies = decoder().copies.bind(decoder());
    makes().mockImplementationOnce(async (...wanted) => {
      const made = await copies(...wanted);
      // The other process stored all sizes meanwhile.
      await world.sql('UPDATE assets SET display_recipe = $2 WHERE asset_id = $1', [asset.assetId, RECORD_OF.all]);
      return made;
    });
    await forPage(asset);
    expect(await recordOf(asset)).toBe(RECORD_OF.all);
  });

  it('stays on a page where what the console shows cannot be made', async () => {
    const asset = await registered(plain);
    await forPage(asset);
    makes().mockRejectedValue(new DecoderLost('SIGSEGV'));
    for (let n = 0; n < 4; n += 1) await expect(world.assets.signDisplay(asset)).rejects.toMatchObject({ code: 'not_found' });
    expect((await fetch((await forPage(asset)).image!.thumbnailUrl)).status).toBe(200);
  });

  it('is made also of an image whose decode takes much memory', async () => {
    // 24 megapixels of 16 bits, all in memory at once.
    const interlaced = png(header(6_000, 4_000, { depth: 16, interlace: 1 }), pixels(6_000 * 4_000 * 6 + 9_000), END);
    const asset = await registered(interlaced);
    const { url } = await world.assets.signDisplay(asset, { deadlineMs: PATIENCE_MS });
    expect(await sharp(await bytesAt(url)).metadata()).toMatchObject({ width: 1_600, height: 1_067 });
  });

  it('is made once, for all who wait for it and for all later ones', async () => {
    const make = makes();
    const asset = await registered(plain);
    await Promise.all([1, 2, 3].map(() => world.assets.signDisplay(asset)));
    await world.assets.signDisplay(asset);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('is not of another project, nor of an unknown asset', async () => {
    const asset = await registered(plain);
    await expect(world.assets.signDisplay({ ...asset, projectId: newId() })).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.assets.signDisplay({ ...asset, assetId: newId() })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is signed for all images of a page at once, and one without a derivative keeps none back', async () => {
    const asset = await registered(plain);
    const other = await registered(plain);
    const assetIds = [asset.assetId, newId(), 'no uuid', other.assetId];
    const { answers } = await world.assets.signPageImages({ projectId: asset.projectId, assetIds });
    expect(answers.map(({ notFound }) => notFound)).toEqual([false, true, true, true]);
    const { thumbnailUrl, smallUrl, ...facts } = answers[0]!.image!;
    expect(facts).toEqual({ orientation: 1, widthPx: 2_000, heightPx: 1_000 });
    expect(await Promise.all([thumbnailUrl, smallUrl].map(async (url) => (await fetch(url)).headers.get('content-type')))).toEqual([
      'image/webp',
      'image/jpeg',
    ]);
    const third = await registered(plain);
    jest.spyOn(world.app.get<ObjectStore>(OBJECT_STORE, { strict: false }), 'open').mockRejectedValueOnce(new Error('away'));
    expect(await forPage(third)).toEqual({ image: undefined, notFound: false });
    const tooMany = Array.from({ length: 17 }, newId);
    await expect(world.assets.signPageImages({ ...asset, assetIds: tooMany })).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('is removed with the report, and not made for a discarded one, also when the discard comes in between', async () => {
    const [before, now] = [await displayed(), await registered(plain)];
    await world.assets.signDisplay(now);
    expect(await displayed()).toHaveLength(before.length + DISPLAY_SIZES.length);
    await world.assets.discardReport(now);
    expect(await displayed()).toEqual(before);
    await expect(world.assets.signDisplay(now)).rejects.toMatchObject({ code: 'not_found' });
    const later = await registered(plain);
    const make = decoder().copies.bind(decoder());
    makes().mockImplementationOnce(async (...work) => {
      const copies = await make(...work);
      await world.assets.discardReport(later);
      return copies;
    });
    await expect(world.assets.signDisplay(later)).rejects.toMatchObject({ code: 'not_found' });
    expect(await displayed()).toEqual(before);
  });

  describe('of an image that attacks its decoder', () => {
    const triesOf = async ({ assetId }: { assetId: string }) =>
      (await world.sql<{ tries: number }>('SELECT display_tries AS tries FROM assets WHERE asset_id = $1', [assetId]))[0]!.tries;

    it('300 text chunks of 4 MB are never unpacked', async () => {
      const text = chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(4 * MIB))]));
      const bomb = png(header(60, 40), ...Array.from({ length: 300 }, () => text), pixels(60 * 40 * 3 + 40), END);
      const { large } = await seen(bomb);
      expect(await sharp(large).metadata()).toMatchObject({ width: 60, height: 40 });
    });

    it('what takes too much memory is refused before it is unpacked, once, and the next image is shown', async () => {
      const make = makes();
      const bytes = png(header(10_000, 6_000, { depth: 16, colour: 6, interlace: 1 }), pixels(1_000), END);
      const asset = await registered(bytes);
      for (let n = 0; n < 2; n += 1) await expect(world.assets.signDisplay(asset)).rejects.toMatchObject({ code: 'not_found' });
      expect(make).toHaveBeenCalledTimes(1);
      expect((await seen(plain)).large.length).toBeGreaterThan(0);
    });

    it('what fails to decode is tried three times: memory may have been short', async () => {
      const make = makes();
      const asset = await registered(png(header(60, 40), chunk('IDAT', Buffer.from('no zlib')), END));
      for (const tries of [1, 2, 3, 3]) {
        await expect(world.assets.signDisplay(asset)).rejects.toMatchObject({ code: 'not_found' });
        expect(await triesOf(asset)).toBe(tries);
      }
      expect(make).toHaveBeenCalledTimes(3);
    });

    it('an image that takes its process down is tried three times', async () => {
      const make = makes().mockRejectedValue(new DecoderLost('SIGSEGV'));
      const asset = await registered(plain);
      for (let n = 0; n < 4; n += 1) await expect(world.assets.signDisplay(asset)).rejects.toMatchObject({ code: 'not_found' });
      expect([make.mock.calls.length, await triesOf(asset)]).toEqual([3, 3]);
    });

    it('a process that others end costs no try', async () => {
      const asset = await registered(plain);
      await seen(plain);
      const { pid } = decoder()['light']['child']!;
      process.kill(pid!, 'SIGSTOP');
      const make = makes();
      const killed = expect(world.assets.signDisplay(asset)).rejects.toBeDefined();
      await eventually(() => make.mock.calls.length === 1);
      process.kill(pid!, 'SIGKILL');
      await killed;
      expect(await triesOf(asset)).toBe(0);
      expect((await fetch((await world.assets.signDisplay(asset)).url)).status).toBe(200);
    });

    it('an image whose process others end twice rests for a minute, and is tried again then', async () => {
      const make = makes().mockRejectedValue(new DecoderKilled('SIGKILL'));
      const asset = await registered(plain);
      for (let n = 0; n < 2; n += 1) await expect(world.assets.signDisplay(asset)).rejects.not.toMatchObject({ code: 'not_found' });
      for (let n = 0; n < 3; n += 1) await expect(world.assets.signDisplay(asset)).rejects.toMatchObject({ code: 'not_found' });
      expect([make.mock.calls.length, await triesOf(asset)]).toEqual([2, 0]);
      make.mockRestore();
      laterMs = 60_001;
      expect((await world.assets.signDisplay(asset)).url).toContain('/display/');
    });

    it('an object store that is unavailable costs no try', async () => {
      const asset = await registered(plain);
      jest.spyOn(world.app.get<ObjectStore>(OBJECT_STORE, { strict: false }), 'open').mockRejectedValueOnce(new Error('away'));
      await expect(world.assets.signDisplay(asset)).rejects.toBeDefined();
      expect(await triesOf(asset)).toBe(0);
      expect((await world.assets.signDisplay(asset)).url).toContain('/display/');
    });
  });
});
