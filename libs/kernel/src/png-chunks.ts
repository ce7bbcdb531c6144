export interface PngChunk {
  readonly type: string;
  /** The end of the chunk, including length and checksum. */
  readonly start: number;
  readonly end: number;
  readonly data: Uint8Array;
}

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export const isPng = (bytes: Uint8Array): boolean => PNG_SIGNATURE.every((byte, at) => bytes[at] === byte);

const LENGTH_AND_TYPE_BYTES = 8;
const CHECKSUM_BYTES = 4;

/** The complete chunks of a PNG. Nothing is unpacked or copied. */
export function* pngChunks(bytes: Uint8Array): Iterable<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = PNG_SIGNATURE.length;
  while (start + LENGTH_AND_TYPE_BYTES + CHECKSUM_BYTES <= bytes.length) {
    const dataStart = start + LENGTH_AND_TYPE_BYTES;
    const dataEnd = dataStart + view.getUint32(start);
    const end = dataEnd + CHECKSUM_BYTES;
    if (end > bytes.length) return;
    yield { type: String.fromCharCode(...bytes.subarray(start + 4, dataStart)), start, end, data: bytes.subarray(dataStart, dataEnd) };
    start = end;
  }
}
