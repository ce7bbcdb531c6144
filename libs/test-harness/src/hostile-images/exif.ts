export interface ExifFields {
  readonly orientation?: number;
  /** The offset that the header claims for the next directory. */
  readonly next?: number;
  /** The number of entries that the directory claims. */
  readonly entries?: number;
  /** The number of values that the first entry claims. */
  readonly values?: number;
}

const ORIENTATION = 0x0112;
const SHORT = 3;

/** A TIFF header and one directory with one entry. */
export function exif({ orientation = 1, next = 0, entries = 1, values = 1 }: ExifFields): Buffer {
  const data = Buffer.alloc(26);
  data.write('II*\0', 'latin1');
  data.writeUInt32LE(8, 4);
  data.writeUInt16LE(entries, 8);
  data.writeUInt16LE(ORIENTATION, 10);
  data.writeUInt16LE(SHORT, 12);
  data.writeUInt32LE(values, 14);
  data.writeUInt16LE(orientation, 18);
  data.writeUInt32LE(next, 22);
  return data;
}
