import { isPng, pngChunks } from '@tire/kernel';

interface Sized {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface PngHeader extends Sized {
  readonly format: 'png';
  /** The number of channels after decoding: a palette gives three, transparency one more. */
  readonly channels: number;
  readonly bytesPerChannel: 1 | 2;
  readonly interlaced: boolean;
}

export interface JpegHeader extends Sized {
  readonly format: 'jpeg';
  readonly channels: number;
  /** Stored samples for each pixel: 1.5 where colour has a quarter of the resolution. */
  readonly samplesPerPixel: number;
  /** Progressive, or with a scan for each component: the decoder keeps all coefficients until the last scan. */
  readonly keepsCoefficients: boolean;
}

/** The facts about the decoding of an image that its first bytes contain. */
export type ImageHeader = PngHeader | JpegHeader;

const PALETTE = 3;
/** Channels of each colour type of PNG. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, [PALETTE]: 3, 4: 2, 6: 4 };
const ALPHA = 4;
const HEADER_BYTES = 13;

function pngHeader(bytes: Uint8Array): PngHeader | undefined {
  let header: PngHeader | undefined;
  for (const { type, data } of pngChunks(bytes)) {
    if (!header) {
      if (type !== 'IHDR' || data.length !== HEADER_BYTES) return undefined;
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      const [depth, colour, interlace] = [data[8]!, data[9]!, data[12]!];
      const channels = CHANNELS[colour];
      if (channels === undefined) return undefined;
      const size = { widthPx: view.getUint32(0), heightPx: view.getUint32(4) };
      header = { format: 'png', ...size, channels, bytesPerChannel: depth === 16 ? 2 : 1, interlaced: interlace !== 0 };
    }
    if (type === 'tRNS' && header.channels < ALPHA) header = { ...header, channels: header.channels + 1 };
    if (type === 'IDAT' || type === 'IEND') return header;
  }
  // The first chunk of pixels may be cut off.
  return header;
}

const MARK = 0xff;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const PROGRESSIVE = new Set([0xc2, 0xc6, 0xca, 0xce]);
const NO_FRAMES = new Set([0xc4, 0xc8, 0xcc]);
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && !NO_FRAMES.has(code);
const standsAlone = (code: number): boolean => code <= 0x01 || (code >= 0xd0 && code <= 0xd7);

/** Bytes of a frame before its components, and of each component. */
const FRAME_BYTES = 6;
const COMPONENT_BYTES = 3;

function frameOf(code: number, segment: Uint8Array): JpegHeader | undefined {
  const channels = segment[5] ?? 0;
  if (channels === 0 || segment.length < FRAME_BYTES + COMPONENT_BYTES * channels) return undefined;
  const factors = Array.from({ length: channels }, (_, index) => {
    const byte = segment[FRAME_BYTES + COMPONENT_BYTES * index + 1]!;
    return { across: byte >> 4, down: byte & 15 };
  });
  const largest = Math.max(...factors.map(({ across }) => across)) * Math.max(...factors.map(({ down }) => down));
  const samples = factors.reduce((sum, { across, down }) => sum + across * down, 0);
  if (largest === 0) return undefined;
  return {
    format: 'jpeg',
    widthPx: segment[3]! * 256 + segment[4]!,
    heightPx: segment[1]! * 256 + segment[2]!,
    channels,
    samplesPerPixel: samples / largest,
    keepsCoefficients: PROGRESSIVE.has(code),
  };
}

/** Reads up to the first scan, where a decoder allocates its memory. */
function jpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  let header: JpegHeader | undefined;
  for (let at = 2; at < bytes.length;) {
    at = bytes.indexOf(MARK, at);
    if (at === -1) return undefined;
    while (bytes[at] === MARK) at += 1;
    const code = bytes[at];
    if (code === undefined || code === EOI || code === SOI) return undefined;
    at += 1;
    if (standsAlone(code)) continue;
    const length = bytes[at]! * 256 + bytes[at + 1]!;
    if (!(length >= 2 && at + length <= bytes.length)) return undefined;
    const segment = bytes.subarray(at + 2, at + length);
    if (isFrame(code)) header ??= frameOf(code, segment);
    if (code === SOS) return header && { ...header, keepsCoefficients: header.keepsCoefficients || (segment[0] ?? 0) < header.channels };
    at += length;
  }
  return undefined;
}

/** Undefined for bytes that are neither a PNG nor a JPEG with a readable header. Unpacks nothing. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const isJpeg = bytes[0] === MARK && bytes[1] === SOI && bytes[2] === MARK;
  const header = isPng(bytes) ? pngHeader(bytes) : isJpeg ? jpegHeader(bytes) : undefined;
  return header && header.widthPx > 0 && header.heightPx > 0 ? header : undefined;
}
