import { assertNever } from '@tire/kernel';
import type { ImageHeader } from './image-header';

const MIB = 1024 * 1024;
/** The memory of any decode, with an output of up to 1,600 pixels. */
const ANY_DECODE_BYTES = 16 * MIB;
/** Rows that wait between the decoder and the scaler, which read row by row. */
const ROWS_WAITING = 2_000;
/** Rows in the buffers of the scaler. They matter for very wide images only. */
const ROWS_IN_SCALER = 220;
/** An interlaced PNG is complete only with its last pass, so all of it is in memory. Beside it the decoder has copies. */
const INTERLACED_FACTOR = 1.25;
const COEFFICIENT_BYTES = 2;

/**
 * The memory that decoding and scaling down may take, beside the file and the result. Never less than the measured peak, at most 3.5
 * times that for images of more than a megapixel (decode-memory.int.spec.ts).
 */
export function decodeMemoryBytes(header: ImageHeader): number {
  const { widthPx, heightPx, channels } = header;
  const rowBytes = widthPx * channels * (header.format === 'png' ? header.bytesPerChannel : 1);
  const whole = rowBytes * heightPx;
  const streamed = Math.min(whole, ROWS_WAITING * rowBytes);
  const fixed = ROWS_IN_SCALER * rowBytes + ANY_DECODE_BYTES;
  switch (header.format) {
    case 'png':
      return fixed + (header.interlaced ? INTERLACED_FACTOR * whole : streamed);
    case 'jpeg': {
      const coefficients = header.keepsCoefficients ? widthPx * heightPx * header.samplesPerPixel * COEFFICIENT_BYTES : 0;
      return fixed + streamed + coefficients;
    }
    default:
      return assertNever(header);
  }
}
