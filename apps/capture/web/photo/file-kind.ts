/** Why a file cannot be sent. shot: it is no file, and the live picture gave no photograph. */
export type FileFault = 'heic' | 'unreadable' | 'too_small' | 'shot';

type FileKind = 'jpeg' | 'png' | 'webp' | 'heic' | 'other';

const text = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** Brands of ISO base media files that hold a still image of HEVC, and that most browsers other than Safari do not decode. */
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** By the first bytes: names and types of files that come from galleries are often wrong. */
export function fileKindOf(bytes: Uint8Array): FileKind {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (bytes[0] === 0x89 && text(bytes, 1, 4) === 'PNG') return 'png';
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return 'webp';
  if (text(bytes, 4, 8) === 'ftyp' && HEIC_BRANDS.has(text(bytes, 8, 12))) return 'heic';
  return 'other';
}
