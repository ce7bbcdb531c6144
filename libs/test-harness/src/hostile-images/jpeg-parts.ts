const mark = (code: number): Buffer => Buffer.of(0xff, code);

export const SOI = mark(0xd8);
export const EOI = mark(0xd9);

export function segment(code: number, data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([mark(code), length, data]);
}

export interface FrameFields {
  readonly code?: number;
  readonly precision?: number;
  readonly components?: number;
}

export function frame(widthPx: number, heightPx: number, { code = 0xc0, precision = 8, components = 1 }: FrameFields = {}): Buffer {
  const head = Buffer.from([precision, heightPx >> 8, heightPx & 255, widthPx >> 8, widthPx & 255, components]);
  return segment(code, Buffer.concat([head, ...Array.from({ length: components }, (_, index) => Buffer.of(index + 1, 0x11, 0))]));
}

/** One code of one bit with the value zero, so that each byte of zeros encodes sixteen zero coefficients. */
const table = (kind: number): Buffer => segment(0xc4, Buffer.from([kind, 1, ...Array<number>(15).fill(0), 0]));
export const TABLES = Buffer.concat([segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])), table(0x00), table(0x10)]);

export const scan = (first = 0, last = 63, components = 1): Buffer =>
  segment(0xda, Buffer.from([components, ...Array.from({ length: components }, (_, index) => [index + 1, 0]).flat(), first, last, 0]));

export const SIDE_PX = 128;
/** A grey image of 256 blocks, each of two bits. */
export const DATA = Buffer.alloc(64);

export const jpeg = (...parts: Buffer[]): Buffer => Buffer.concat([SOI, ...parts, EOI]);
/** A whole image, with these segments before it. */
export const withSegments = (...segments: Buffer[]): Buffer => jpeg(...segments, TABLES, frame(SIDE_PX, SIDE_PX), scan(), DATA);
