import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { MAX_IMAGE_PIXELS, sniffFormat, type ImageFacts, type ImageFault } from './domain/image-content';

// Whatever the bytes claim, only these two loaders ever see them.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });

export const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Format by content and dimensions from the header. Nothing is decoded: a bomb stays packed. */
export async function inspectImage(bytes: Buffer): Promise<ImageFacts | ImageFault> {
  const format = sniffFormat(bytes);
  if (!format) return 'image_format_unsupported';
  try {
    // Without sharp's own limit, which would be thrown as if the image were broken; the dimensions are judged below.
    const { width, height } = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata();
    if (!width || !height) return 'image_undecodable';
    return width * height > MAX_IMAGE_PIXELS ? 'image_too_large' : { format, widthPx: width, heightPx: height };
  } catch {
    return 'image_undecodable';
  }
}
