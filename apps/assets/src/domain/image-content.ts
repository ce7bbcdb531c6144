import { isPng } from '@tire/kernel';
import type { Orientation } from './exif';
import type { ImageFault, ImageSize } from './image-size';
import { inspectJpeg } from './jpeg';
import { inspectPng } from './png';

export const IMAGE_FORMATS = ['jpeg', 'png'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** What an upload address takes: a little more, so that registration tells the partner that the image is too large, and not a broken PUT. */
export const MAX_UPLOAD_BYTES = MAX_IMAGE_BYTES + 1024 * 1024;
export const CONTENT_TYPES: Record<ImageFormat, string> = { jpeg: 'image/jpeg', png: 'image/png' };

const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;

export interface ImageFacts extends ImageSize {
  readonly format: ImageFormat;
  /** Of a PNG always 1: browsers differ in whether they look for it there, and cameras write none. */
  readonly orientation: Orientation;
}

/**
 * What the bytes are, whatever a header says of them, and how large the image is. Only what frames the image is read, with no
 * library: nothing is unpacked or decoded, so that no bytes cost more memory than their own.
 */
export function inspectImage(bytes: Uint8Array): ImageFacts | ImageFault {
  const format = isJpeg(bytes) ? 'jpeg' : isPng(bytes) ? 'png' : undefined;
  if (!format) return 'image_format_unsupported';
  const facts = format === 'jpeg' ? inspectJpeg(bytes) : inspectPng(bytes);
  return typeof facts === 'string' ? facts : { format, orientation: 1, ...facts };
}
