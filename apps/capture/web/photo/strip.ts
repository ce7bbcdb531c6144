import type { Bytes } from '../uploads/store';

const [MARKER, START_OF_SCAN, APP1, APP15, COMMENT] = [0xff, 0xda, 0xe1, 0xef, 0xfe];

/**
 * A JPEG without what browsers write beside the pixels: profiles, comments, and whatever comes to their mind next. A canvas is sRGB, which is
 * what a JPEG without a profile means.
 */
export function withoutMetadata(bytes: Bytes): Bytes {
  const kept: Bytes[] = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === MARKER && bytes[at + 1] !== START_OF_SCAN) {
    const marker = bytes[at + 1]!;
    const end = at + 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
    const isMetadata = marker === COMMENT || (marker >= APP1 && marker <= APP15);
    if (!isMetadata) kept.push(bytes.subarray(at, end));
    at = end;
  }
  kept.push(bytes.subarray(at));
  const all = new Uint8Array(kept.reduce((sum, part) => sum + part.length, 0));
  kept.reduce((offset, part) => (all.set(part, offset), offset + part.length), 0);
  return all;
}
