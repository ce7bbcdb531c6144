/** EXIF orientation: how a viewer turns and flips the image. 1 leaves it as it is stored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const SIGNATURE = 'Exif\0\0';
const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

const isOrientation = (value: number): value is Orientation => Number.isInteger(value) && value >= 1 && value <= 8;

/** The orientation of an APP1 segment; undefined where it is not EXIF. Broken EXIF counts as 1, as in browsers. */
export function orientationOf(segment: Uint8Array): Orientation | undefined {
  const bytes = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength);
  if (bytes.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE) return undefined;
  const tiff = bytes.subarray(SIGNATURE.length);
  const order = tiff.toString('latin1', 0, 2);
  if ((order !== 'II' && order !== 'MM') || tiff.length < 8) return 1;
  const readUInt16 = (at: number): number => (at + 2 > tiff.length ? NaN : order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = readUInt16(first);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = first + 2 + entry * ENTRY_BYTES;
    const tag = readUInt16(at);
    if (Number.isNaN(tag)) return 1;
    if (tag !== ORIENTATION_TAG) continue;
    const value = readUInt16(at + 8);
    return readUInt16(at + 2) === SHORT && isOrientation(value) ? value : 1;
  }
  return 1;
}
