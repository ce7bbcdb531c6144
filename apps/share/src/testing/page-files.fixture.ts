import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { logoPng } from './partner.fixture';

interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** The images of pages, by path: a tread, a sidewall and a logo, and the thumbnails of the first two. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const [tire, sidewall, logo] = await Promise.all([
    readFile(join(__dirname, 'tire.jpg')),
    readFile(join(__dirname, '../../../inference/models/sidewall/golden.jpg')),
    logoPng(),
  ]);
  const thumbnailOf = async (bytes: Buffer): Promise<PageFile> => ({ type: 'image/webp', bytes: await sharp(bytes).webp().toBuffer() });
  return new Map([
    ['/tire.jpg', { type: 'image/jpeg', bytes: tire }],
    ['/tire.webp', await thumbnailOf(tire)],
    ['/sidewall.jpg', { type: 'image/jpeg', bytes: sidewall }],
    ['/sidewall.webp', await thumbnailOf(sidewall)],
    ['/logo.png', { type: 'image/png', bytes: logo }],
  ]);
}
