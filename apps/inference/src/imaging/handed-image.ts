import { logger } from '@tire/platform';
import type { WrittenImage } from '@tire/platform/images';
import { closeSync, openSync, readSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import type { RgbImage } from './decode';

/** An image on its way from the process that decodes to the one of the model: in a file, or where none can be written in messages. */
export type HandedImage = RgbImage | WrittenImage;

/** The memory of images that are measured no more. */
const unused: ArrayBuffer[] = [];

function readInto(bytes: Uint8Array, path: string): void {
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < bytes.length;) {
      const read = readSync(file, bytes, at, bytes.length - at, at);
      if (read === 0) throw new Error('The file of the pixels ended early');
      at += read;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * In the process of the model. The pixels are valid while `use` runs: then the next image gets their memory. A read into
 * new memory costs much more, because the system has to provide new pages.
 */
export async function withPixels<T>(handed: readonly HandedImage[], use: (images: readonly RgbImage[]) => Promise<T>): Promise<T> {
  const taken: ArrayBuffer[] = [];
  const pixelsOf = (image: HandedImage): RgbImage => {
    if (!('file' in image)) return image;
    const sizeBytes = 3 * image.width * image.height;
    const kept = unused.pop();
    const memory = kept && kept.byteLength >= sizeBytes ? kept : new ArrayBuffer(sizeBytes);
    taken.push(memory);
    const rgb = new Uint8Array(memory, 0, sizeBytes);
    readInto(rgb, image.file);
    return { ...image, rgb };
  };
  try {
    return await use(handed.map(pixelsOf));
  } finally {
    unused.push(...taken);
  }
}

const log = logger('pixels');

/** A file that cannot be removed ends with its folder. */
export async function forget(image: HandedImage): Promise<void> {
  if (!('file' in image)) return;
  await unlink(image.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') log.warn({ err: error }, 'The pixels of an image cannot be removed now');
  });
}
