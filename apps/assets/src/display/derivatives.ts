import { showingTurn } from '@tire/kernel';
import { decodeMemoryBytes, readImageHeader, withoutText } from '@tire/platform/images';
import sharp, { type OutputInfo } from 'sharp';
import { DISPLAY, type DisplaySize } from '../domain/display';
import { MAX_IMAGE_PIXELS } from '../domain/images/image-size';
import { DECODE_BYTES_MAX, type Derivatives, type Job } from './protocol';

// Every other loader is blocked: partners may send JPEG and PNG only, and each loader is a way in.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);
sharp.concurrency(1);

/** The header of the image says so: the same bytes fail again. */
export class NotShowable extends Error {}

/** Decodes once. The results carry no metadata: sharp writes none unless told to. */
export async function derivativesOf({ bytes: original, orientation }: Job): Promise<Derivatives> {
  const bytes = withoutText(original);
  const header = readImageHeader(bytes);
  if (!header) throw new NotShowable('no header');
  if (decodeMemoryBytes(header) > DECODE_BYTES_MAX) throw new NotShowable('decoding takes too much memory');
  const { data, info } = await shown(bytes, orientation);
  const encoded = (size: DisplaySize): Promise<Buffer> => {
    const { longSidePx, quality } = DISPLAY[size];
    const image = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
    return image.resize(longSidePx, longSidePx, { fit: 'inside', withoutEnlargement: true }).jpeg({ quality }).toBuffer();
  };
  return { large: await encoded('large'), small: await encoded('small') };
}

/**
 * As a browser shows the image, in the size of the largest derivative. By the recorded orientation and not by the one that the decoder reads:
 * drawings over the image depend on it.
 */
function shown(bytes: Uint8Array, orientation: number): Promise<{ data: Buffer; info: OutputInfo }> {
  const { flipped, turnedDegrees } = showingTurn(orientation);
  const { longSidePx } = DISPLAY.large;
  return sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'truncated', sequentialRead: true })
    .flop(flipped)
    .rotate(turnedDegrees)
    .resize(longSidePx, longSidePx, { fit: 'inside', withoutEnlargement: true, fastShrinkOnLoad: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}
