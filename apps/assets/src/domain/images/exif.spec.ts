import sharp from 'sharp';
import { inspectImage } from './image-content';

const image = sharp({ create: { width: 30, height: 20, channels: 3, background: 'grey' } });

const orientationOf = (bytes: Uint8Array): number | string => {
  const facts = inspectImage(bytes);
  return typeof facts === 'string' ? facts : facts.orientation;
};

/** A JPEG with this TIFF block as its EXIF. */
async function withExif(tiff: Buffer): Promise<Buffer> {
  const jpeg = await image.clone().jpeg().toBuffer();
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const head = Buffer.from([0xff, 0xe1, (body.length + 2) >> 8, (body.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

const bigEndian = (entries: number, ...fields: number[]): Buffer => {
  const tiff = Buffer.alloc(10 + 2 * fields.length);
  tiff.write('MM');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(entries, 8);
  fields.forEach((field, index) => tiff.writeUInt16BE(field, 10 + 2 * index));
  return tiff;
};

it.each([1, 2, 3, 4, 5, 6, 7, 8])('reads orientation %i', async (orientation) => {
  const bytes = await image.clone().withMetadata({ orientation }).jpeg().toBuffer();
  expect(orientationOf(bytes)).toBe(orientation);
});

it('an image without EXIF and a PNG have orientation 1', async () => {
  expect(orientationOf(await image.clone().jpeg().toBuffer())).toBe(1);
  expect(orientationOf(await image.clone().withMetadata({ orientation: 6 }).png().toBuffer())).toBe(1);
});

it('is read big-endian and after other entries', async () => {
  const entries = bigEndian(2, 0x0100, 3, 0, 1, 9, 0, 0x0112, 3, 0, 1, 6, 0);
  expect(orientationOf(await withExif(entries))).toBe(6);
});

it.each<[string, Buffer]>([
  ['no number of the list', bigEndian(1, 0x0112, 3, 0, 1, 9, 0)],
  ['another type', bigEndian(1, 0x0112, 4, 0, 1, 6, 0)],
  ['more entries than there are', bigEndian(60_000, 0x0100, 3, 0, 1, 9, 0)],
  ['entries behind the end', Buffer.from('MM\0*\xff\xff\xff\xff', 'latin1')],
  ['no order of bytes', Buffer.from('XX\0*\0\0\0\x08\0\0', 'latin1')],
  ['nothing', Buffer.alloc(0)],
])('%s counts as orientation 1', async (_name, tiff) => {
  expect(orientationOf(await withExif(tiff))).toBe(1);
});
