const [MARKER, APP1, START_OF_SCAN] = [0xff, 0xe1, 0xda];
const ORIENTATION_TAG = 0x0112;
const SHORT_TYPE = 3;
const IFD_ENTRY_BYTES = 12;

interface Place {
  /** Of the two bytes that hold the orientation. */
  readonly at: number;
  readonly littleEndian: boolean;
}

/** Where a JPEG's first EXIF segment says how the camera was held; null if nowhere. Hostile files give null, never an exception. */
function placeOf(bytes: Uint8Array): Place | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 4 <= view.byteLength && view.getUint8(at) === MARKER;) {
    const marker = view.getUint8(at + 1);
    const length = view.getUint16(at + 2);
    if (marker === START_OF_SCAN || length < 2) return null;
    const end = Math.min(at + 2 + length, view.byteLength);
    // "Exif" and two zero bytes.
    if (marker === APP1 && at + 18 <= end && view.getUint32(at + 4) === 0x45786966) return placeInTiff(view, at + 10, end);
    at += 2 + length;
  }
  return null;
}

function placeInTiff(view: DataView, start: number, end: number): Place | null {
  const littleEndian = view.getUint16(start) === 0x4949;
  if (view.getUint16(start + 2, littleEndian) !== 42) return null;
  const directory = start + view.getUint32(start + 4, littleEndian);
  if (directory + 2 > end) return null;
  const count = view.getUint16(directory, littleEndian);
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + i * IFD_ENTRY_BYTES;
    if (entry + IFD_ENTRY_BYTES > end) return null;
    if (view.getUint16(entry, littleEndian) !== ORIENTATION_TAG) continue;
    return view.getUint16(entry + 2, littleEndian) === SHORT_TYPE ? { at: entry + 8, littleEndian } : null;
  }
  return null;
}

/** The EXIF orientation of a JPEG, 1 to 8. */
export function orientationOf(bytes: Uint8Array): number {
  const place = placeOf(bytes);
  if (!place) return 1;
  const value = new DataView(bytes.buffer, bytes.byteOffset).getUint16(place.at, place.littleEndian);
  return value >= 1 && value <= 8 ? value : 1;
}

/**
 * Says "upright" in place, so that every browser decodes the pixels as they are stored: browsers differ in whether, and where, they turn an
 * image themselves.
 */
export function markUpright(bytes: Uint8Array): void {
  const place = placeOf(bytes);
  if (place) new DataView(bytes.buffer, bytes.byteOffset).setUint16(place.at, 1, place.littleEndian);
}
