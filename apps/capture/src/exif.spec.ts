import sharp from 'sharp';
import { markUpright, orientationOf } from '../web/photo/exif';
import { drawingOf } from '../web/photo/scale';
import { fileKindOf } from '../web/photo/file-kind';
import { withoutMetadata } from '../web/photo/strip';
import { noise } from '@tire/test-harness';

const jpeg = async (orientation?: number): Promise<Uint8Array> => {
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: '#888' } });
  return new Uint8Array(await (orientation ? image.withMetadata({ orientation }) : image).jpeg().toBuffer());
};

describe('the orientation of a photograph', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('%i is read from the file, and marked as upright in place', async (orientation) => {
    const bytes = await jpeg(orientation);
    expect(orientationOf(bytes)).toBe(orientation);
    markUpright(bytes);
    expect(orientationOf(bytes)).toBe(1);
    expect((await sharp(bytes).metadata()).orientation).toBe(1);
  });

  it('a file without one is upright', async () => {
    const bytes = await jpeg();
    const before = Uint8Array.from(bytes);
    markUpright(bytes);
    expect([orientationOf(bytes), bytes]).toEqual([1, before]);
  });

  it('is read at every cut and every changed byte of a file without an exception', async () => {
    const whole = await jpeg(6);
    for (let length = 0; length < Math.min(whole.length, 300); length++)
      expect(orientationOf(whole.slice(0, length))).toEqual(expect.any(Number));
    for (let at = 0; at < 200; at++)
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Uint8Array.from(whole);
        changed[at] = value;
        expect(() => markUpright(changed)).not.toThrow();
      }
  });

  it('a large photograph gets 1,920 px on its long side, and a small one stays', () => {
    expect(drawingOf({ width: 8_000, height: 6_000 }, 1)).toMatchObject({ width: 1_920, height: 1_440 });
    expect(drawingOf({ width: 8_000, height: 6_000 }, 6)).toMatchObject({ width: 1_440, height: 1_920 });
    expect(drawingOf({ width: 800, height: 600 }, 1)).toMatchObject({ width: 800, height: 600 });
    expect(drawingOf({ width: 30_000, height: 4 }, 1)).toMatchObject({ width: 1_920, height: 1 });
  });

  it('what is sent has the pixels and no metadata', async () => {
    const image = sharp(noise(60 * 40 * 3), { raw: { width: 60, height: 40, channels: 3 } });
    const tagged = new Uint8Array(
      await image
        .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'someone' } }, icc: 'srgb' })
        .jpeg()
        .toBuffer(),
    );
    const stripped = withoutMetadata(tagged);
    const { exif, icc, orientation } = await sharp(stripped).metadata();
    expect([exif, icc, orientation]).toEqual([undefined, undefined, undefined]);
    expect((await sharp(tagged).metadata()).icc).toBeDefined();
    const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();
    expect(await pixels(stripped)).toEqual(await pixels(tagged));
  });

  it('the kind of a file is in its first bytes', async () => {
    const image = sharp({ create: { width: 4, height: 4, channels: 3, background: '#888' } });
    expect(fileKindOf(new Uint8Array(await image.clone().jpeg().toBuffer()))).toBe('jpeg');
    expect(fileKindOf(new Uint8Array(await image.clone().png().toBuffer()))).toBe('png');
    expect(fileKindOf(new Uint8Array(await image.clone().webp().toBuffer()))).toBe('webp');
    expect(fileKindOf(new Uint8Array([0, 0, 0, 24, ...Buffer.from('ftypheic'), 0]))).toBe('heic');
    expect(fileKindOf(new Uint8Array(noise(100)))).toBe('other');
    expect(fileKindOf(new Uint8Array())).toBe('other');
  });
});
