import { IMAGE_BYTES_MAX } from '@tire/contracts/limits';
import { isPng } from '@tire/kernel';
import type { Orientation } from './exif';
import type { ImageFault, ImageSize } from './image-size';
import { inspectJpeg } from './jpeg';
import { inspectPng, readPngHeader } from './png';

export const IMAGE_FORMATS = ['jpeg', 'png'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** A little more than an image may have, so that the registration reports a large image instead of a failed PUT. */
export const MAX_UPLOAD_BYTES = IMAGE_BYTES_MAX + 1024 * 1024;
export const CONTENT_TYPES: Record<ImageFormat, string> = { jpeg: 'image/jpeg', png: 'image/png' };

const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;

/** Enough for the signature of both formats and for the size of a PNG. */
export const START_BYTES = 64;

/** A fault that the first bytes of an object show. What they do not show, `inspectImage` finds in the whole image. */
export function faultOfStart(start: Uint8Array): ImageFault | undefined {
  if (isJpeg(start)) return undefined;
  if (!isPng(start)) return 'image_format_unsupported';
  const header = readPngHeader(start);
  return typeof header === 'string' ? header : undefined;
}

export interface ImageFacts extends ImageSize {
  readonly format: ImageFormat;
  /** Always 1 for a PNG: browsers differ in reading it there, and cameras write no PNG. */
  readonly orientation: Orientation;
}

/**
 * Format, size and orientation from the bytes alone, without regard to headers. It reads only the segments or chunks around the
 * pixels and decodes nothing, so it needs no memory beyond the bytes.
 */
export function inspectImage(bytes: Uint8Array): ImageFacts | ImageFault {
  const format = isJpeg(bytes) ? 'jpeg' : isPng(bytes) ? 'png' : undefined;
  if (!format) return 'image_format_unsupported';
  const facts = format === 'jpeg' ? inspectJpeg(bytes) : inspectPng(bytes);
  return typeof facts === 'string' ? facts : { format, orientation: 1, ...facts };
}
