import { crc32, deflateSync } from 'node:zlib';

export const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
}

export interface HeaderFields {
  readonly depth?: number;
  readonly colour?: number;
  readonly compression?: number;
  readonly filter?: number;
  readonly interlace?: number;
}

export function headerData(widthPx: number, heightPx: number, fields: HeaderFields = {}): Buffer {
  const { depth = 8, colour = 2, compression = 0, filter = 0, interlace = 0 } = fields;
  const data = Buffer.alloc(13);
  data.writeUInt32BE(widthPx, 0);
  data.writeUInt32BE(heightPx, 4);
  data.set([depth, colour, compression, filter, interlace], 8);
  return data;
}

export const header = (widthPx: number, heightPx: number, fields?: HeaderFields): Buffer =>
  chunk('IHDR', headerData(widthPx, heightPx, fields));

export const END = chunk('IEND');
/** Rows of zeros, compressed a thousand to one. */
export const pixels = (bytes: number): Buffer => chunk('IDAT', deflateSync(Buffer.alloc(bytes)));
/** For the image of 128 by 128 pixels that most of these use. */
export const SIDE_PX = 128;
export const PIXELS = pixels((SIDE_PX * 3 + 1) * SIDE_PX);
export const HEADER = header(SIDE_PX, SIDE_PX);

export const png = (...chunks: Buffer[]): Buffer => Buffer.concat([SIGNATURE, ...chunks]);
export const withChunks = (...chunks: Buffer[]): Buffer => png(HEADER, ...chunks, PIXELS, END);

export const numbers = (...values: number[]): Buffer => {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => data.writeUInt32BE(value, index * 4));
  return data;
};

export const packed = (head: string, bytes: number): Buffer =>
  Buffer.concat([Buffer.from(head, 'latin1'), deflateSync(Buffer.alloc(bytes, 0x41))]);
