import { ImageDecoder } from '@tire/platform/images';
import { DISPLAY, type DisplaySize } from '../domain/display';
import { MAX_IMAGE_PIXELS } from '../domain/images/image-size';

/** The memory that a decode may take, by the header. A progressive JPEG of a camera fits up to the limit of a registration (60 megapixels). */
export const HEAVIEST_MIB = 448;
/** Requests of callers go first. */
const NICENESS = 5;

export interface MadeDerivative {
  readonly size: DisplaySize;
  readonly bytes: Uint8Array;
}

export const displayDecoder = (): ImageDecoder => new ImageDecoder({ heaviestMib: HEAVIEST_MIB, niceness: NICENESS });

/**
 * Draws the image as a browser shows it. Uses the recorded orientation and not that of the file, because drawings over the image depend on
 * it.
 */
export async function derivativesOf(
  decoder: ImageDecoder,
  bytes: Uint8Array,
  orientation: number,
  sizes: readonly DisplaySize[],
): Promise<MadeDerivative[]> {
  const longSidePx = Math.max(...sizes.map((size) => DISPLAY[size].longSidePx));
  const wanted = { longSidePx, minShortSidePx: 1, maxPixels: MAX_IMAGE_PIXELS, orientation };
  const copies = await decoder.copies(
    bytes,
    wanted,
    sizes.map((size) => DISPLAY[size]),
  );
  return sizes.map((size, index) => ({ size, bytes: copies[index]! }));
}
