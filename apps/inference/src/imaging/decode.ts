import { ImageDecoder } from '@tire/platform/images';
import type { HandedImage } from './handed-image';
import { newPixelFile } from './pixel-folder';

/** Interleaved RGB in the orientation of the stored pixels. An EXIF rotation is not applied, so that coordinates refer to the file. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  /** How the pixels are shown, by the file: 1 to 8, as in EXIF. */
  readonly orientation?: number;
}

export interface DecodeLimits {
  readonly longSidePx: number;
  readonly minShortSidePx: number;
  readonly maxPixels: number;
}

/** The decode processes of this process. They start with the first image. */
export const decoder = new ImageDecoder();

/** Rejects with UnusableImage, or with DecoderLost or DecoderKilled. */
export function decodeImage(bytes: Uint8Array, limits: DecodeLimits, signal?: AbortSignal): Promise<RgbImage> {
  return decoder.decode(bytes, { ...limits, orientation: 1 }, signal);
}

/**
 * The pixels go from process to process through a file. As messages through this process they are copied many times: 12 ms of CPU for 3.7 MB
 * instead of 5, half of it here. The caller forgets the image after its last use.
 */
export function decodeForModel(bytes: Uint8Array, limits: DecodeLimits, signal?: AbortSignal): Promise<HandedImage> {
  const file = newPixelFile();
  return file === undefined ? decodeImage(bytes, limits, signal) : decoder.decodeTo(file, bytes, { ...limits, orientation: 1 }, signal);
}
