import sharp from 'sharp';
import type { RgbImage } from '../src/imaging/decode';

/** Runs in this process, without any guard. */
export async function bareDecode(bytes: Buffer, longSidePx: number): Promise<RgbImage> {
  const { data, info } = await sharp(bytes)
    .resize(longSidePx, longSidePx, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}
