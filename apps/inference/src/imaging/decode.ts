import type { AnalysisErrorCode } from '@tire/kernel';
import { withoutText } from '@tire/platform/images';
import sharp from 'sharp';

// All other loaders (SVG, TIFF, GIF, PDF and so on) stay blocked: partners may send JPEG and PNG only, and each loader is an attack
// surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);

/** Interleaved RGB in the orientation of the stored pixels. An EXIF rotation is not applied, so that coordinates refer to the file. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

export interface DecodeLimits {
  readonly longSidePx: number;
  readonly minShortSidePx: number;
  readonly maxPixels: number;
}

/** The image itself is at fault: a retry with the same bytes fails again. */
export class UnusableImage extends Error {
  constructor(
    readonly errorCode: AnalysisErrorCode,
    cause?: unknown,
  ) {
    super(errorCode, { cause });
    this.name = 'UnusableImage';
  }
}

export async function decodeImage(original: Uint8Array, limits: DecodeLimits): Promise<RgbImage> {
  const bytes = withoutText(original);
  const { width, height } = await dimensions(bytes);
  if (width * height > limits.maxPixels) throw new UnusableImage('image_too_large');
  if (Math.min(width, height) < limits.minShortSidePx) throw new UnusableImage('image_too_small');
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: limits.maxPixels, failOn: 'truncated', sequentialRead: true })
      .resize(limits.longSidePx, limits.longSidePx, { fit: 'inside', withoutEnlargement: true, fastShrinkOnLoad: true })
      .flatten({ background: '#808080' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, rgb: threeChannels(data, info.channels) };
  } catch (error) {
    throw new UnusableImage('image_undecodable', error);
  }
}

async function dimensions(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw new UnusableImage('image_undecodable', error);
  }
}

function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const rgb = new Uint8Array((data.length / channels) * 3);
  for (let i = 0; i < rgb.length / 3; i++) {
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = data[i * channels + (channels >= 3 ? c : 0)]!;
  }
  return rgb;
}
