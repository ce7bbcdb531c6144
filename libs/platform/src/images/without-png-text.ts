import { isPng, pngChunks } from '@tire/kernel';

/** The chunks that decoding needs, and the colour profile. All others are metadata. */
const NEEDED = new Set(['IHDR', 'PLTE', 'tRNS', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'IDAT', 'IEND']);

/**
 * A PNG without its text chunks: the decoder unpacks all of them into memory, and 7 MB of them took 3.3 GB. Pixels do not change. Other
 * formats are returned unchanged.
 */
export function withoutText(bytes: Uint8Array): Uint8Array {
  if (!isPng(bytes)) return bytes;
  const kept: Uint8Array[] = [bytes.subarray(0, 8)];
  let start = 8;
  let end = 8;
  const keep = () => {
    if (end > start) kept.push(bytes.subarray(start, end));
  };
  for (const chunk of pngChunks(bytes)) {
    if (NEEDED.has(chunk.type)) {
      end = chunk.end;
    } else {
      keep();
      start = end = chunk.end;
    }
    if (chunk.type === 'IEND') break;
  }
  keep();
  return kept.length === 2 && start === 8 && end === bytes.length ? bytes : Buffer.concat(kept);
}
