import type { ImageType } from '@tire/kernel/slots';
import { frameOf, type Frame } from '../hints/frame';
import { hashOf } from '../hints/same-photo';
import type { Bytes } from '../uploads/store';
import { markUpright, orientationOf } from './exif';
import { type FileFault, fileKindOf } from './file-kind';
import { drawingOf, HASHED, QUALITY, SHORT_SIDE_MIN_PX } from './scale';
import { withoutMetadata } from './strip';

export interface Prepared {
  readonly bytes: Bytes;
  readonly thumbnail: string;
  readonly hash: string;
}

export class BadFile extends Error {
  constructor(readonly fault: FileFault) {
    super(fault);
  }
}

const THUMBNAIL_PX = 160;

export interface Canvas {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

export function newCanvas(width: number, height: number, isRead = false): Canvas {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: isRead });
  if (!context) throw new BadFile('unreadable');
  context.imageSmoothingQuality = 'high';
  return { canvas, context };
}

/** Safari limits the memory of all canvases together, and counts those that nobody uses any more until they are collected. */
export const release = ({ canvas }: Pick<Canvas, 'canvas'>): void => void (canvas.width = canvas.height = 0);

function frameFrom(source: CanvasImageSource, { width, height }: { width: number; height: number }): Frame {
  const { canvas, context } = newCanvas(width, height, true);
  context.drawImage(source, 0, 0, width, height);
  const pixels = context.getImageData(0, 0, width, height);
  release({ canvas });
  return frameOf(pixels);
}

const jpegOf = (canvas: HTMLCanvasElement, quality: number): Promise<Bytes> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => {
        if (!blob) return reject(new BadFile('unreadable'));
        blob.arrayBuffer().then((buffer) => resolve(withoutMetadata(new Uint8Array(buffer))), reject);
      },
      'image/jpeg',
      quality,
    );
  });

/** What is sent, and what the list shows. A canvas holds pixels only: nothing of the file's metadata is left. */
async function preparedFrom(canvas: HTMLCanvasElement, imageType: ImageType): Promise<Prepared> {
  try {
    if (Math.min(canvas.width, canvas.height) < SHORT_SIDE_MIN_PX) throw new BadFile('too_small');
    return { bytes: await jpegOf(canvas, QUALITY[imageType]), thumbnail: thumbnailOf(canvas), hash: hashOf(frameFrom(canvas, HASHED)) };
  } finally {
    release({ canvas });
  }
}

function thumbnailOf(canvas: HTMLCanvasElement): string {
  const { width, height } = drawingOf(canvas, 1, THUMBNAIL_PX);
  const small = newCanvas(width, height);
  small.context.drawImage(canvas, 0, 0, width, height);
  const thumbnail = small.canvas.toDataURL('image/jpeg', 0.7);
  release(small);
  return thumbnail;
}

async function decoded(bytes: Bytes): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(new Blob([bytes]));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A chosen file: upright, scaled, without metadata. Safari decodes HEIC; elsewhere it is refused with words. */
export async function prepareFile(file: Blob, imageType: ImageType): Promise<Prepared> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = fileKindOf(bytes);
  const orientation = kind === 'jpeg' ? orientationOf(bytes) : 1;
  if (orientation !== 1) markUpright(bytes);
  let image: HTMLImageElement;
  try {
    image = await decoded(bytes);
  } catch {
    throw new BadFile(kind === 'heic' ? 'heic' : 'unreadable');
  }
  const { width, height, transform } = drawingOf({ width: image.naturalWidth, height: image.naturalHeight }, orientation);
  const { canvas, context } = newCanvas(width, height);
  context.setTransform(...transform);
  context.drawImage(image, 0, 0, 1, 1);
  return preparedFrom(canvas, imageType);
}

/** What the video shows now. */
export async function prepareVideo(video: HTMLVideoElement, imageType: ImageType): Promise<Prepared> {
  const { width, height } = drawingOf({ width: video.videoWidth, height: video.videoHeight }, 1);
  const { canvas, context } = newCanvas(width, height);
  context.drawImage(video, 0, 0, width, height);
  return preparedFrom(canvas, imageType);
}
