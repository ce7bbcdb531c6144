import { pngChunks } from '@tire/kernel';
import { sizeFault, type ImageFault, type ImageSize } from './image-size';

const HEADER_BYTES = 13;
/** 20 MB in chunks of 200 bytes; every chunk, however short, costs a reader some work. */
const CHUNKS_MAX = 100_000;
const SIDE_PX_MAX = 0x7fff_ffff;
/** The bit depths that each colour type allows. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const PALETTE = 3;
const CRITICAL = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);
/** A decoder without support for a critical chunk must not show the image. */
const isCritical = (type: string): boolean => type[0]! >= 'A' && type[0]! <= 'Z';

type Header = ImageSize & { readonly colourType: number };

function readHeader(data: Uint8Array): Header | 'image_undecodable' {
  if (data.length !== HEADER_BYTES) return 'image_undecodable';
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [widthPx, heightPx, depth, colourType] = [view.getUint32(0), view.getUint32(4), data[8]!, data[9]!];
  if (widthPx === 0 || heightPx === 0 || widthPx > SIDE_PX_MAX || heightPx > SIDE_PX_MAX) return 'image_undecodable';
  if (!DEPTHS[colourType]?.includes(depth)) return 'image_undecodable';
  if (data[10] !== 0 || data[11] !== 0 || data[12]! > 1) return 'image_undecodable';
  return { widthPx, heightPx, colourType };
}

/** The size in the first chunk of a PNG. */
export function readPngHeader(bytes: Uint8Array): ImageSize | ImageFault {
  const [first] = pngChunks(bytes);
  const read = first?.type === 'IHDR' ? readHeader(first.data) : 'image_undecodable';
  return typeof read === 'string' ? read : (sizeFault(read) ?? read);
}

/** acTL holds the number of frames; an animation with one frame is a still image. */
const isAnimated = (data: Uint8Array): boolean => data.length !== 8 || new DataView(data.buffer, data.byteOffset, 8).getUint32(0) !== 1;

/** Walks from chunk to chunk and unpacks none. Bytes after IEND are ignored. */
export function inspectPng(bytes: Uint8Array): ImageSize | ImageFault {
  let header: Header | undefined;
  let [chunks, hasPalette, hasPixels] = [0, false, false];
  for (const { type, data } of pngChunks(bytes)) {
    chunks += 1;
    if (chunks > CHUNKS_MAX) return 'image_undecodable';
    if (!header) {
      const read = type === 'IHDR' ? readHeader(data) : 'image_undecodable';
      if (typeof read === 'string') return read;
      const fault = sizeFault(read);
      if (fault) return fault;
      header = read;
    } else if (type === 'IHDR' || (isCritical(type) && !CRITICAL.has(type))) return 'image_undecodable';
    hasPalette ||= type === 'PLTE';
    hasPixels ||= type === 'IDAT';
    if (type === 'acTL' && isAnimated(data)) return 'image_format_unsupported';
    if (hasPixels && header.colourType === PALETTE && !hasPalette) return 'image_undecodable';
    if (type === 'IEND') return hasPixels ? { widthPx: header.widthPx, heightPx: header.heightPx } : 'image_undecodable';
  }
  return 'image_undecodable';
}
