import { logger } from '@tire/platform';
import type { WrittenImage } from '@tire/platform/images';
import { readFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import type { RgbImage } from './decode';

/** An image on its way from the process that decodes to the one of the model: in a file, or where none can be written in messages. */
export type HandedImage = RgbImage | WrittenImage;

/** In the process of the model. */
export function pixelsOf(image: HandedImage): RgbImage {
  return 'file' in image ? { ...image, rgb: readFileSync(image.file) } : image;
}

const log = logger('pixels');

/** A file that cannot be removed ends with its folder. */
export async function forget(image: HandedImage): Promise<void> {
  if (!('file' in image)) return;
  await unlink(image.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') log.warn({ err: error }, 'The pixels of an image cannot be removed now');
  });
}
