import { Injectable } from '@nestjs/common';
import type { Content } from '@tire/contracts/api';
import { logger } from '@tire/platform';
import sharp from 'sharp';
import { ReportReader } from '../page/report.reader';
import type { PdfImage, PdfImages } from './images';

// Every other loader is blocked, as in inference: partners may send JPEG and PNG only, and each loader is a way in.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);

const MAX_BYTES = 20 * 1_024 * 1_024;
const MAX_PIXELS = 60_000_000;
const TIME_LIMIT_MS = 5_000;
/** About 300 dpi in the size on paper. */
const LONG_SIDE_PX = 480;
const QUALITY = 80;

/** Reads the images of a report in the size for print. One after the other, because each may be 20 MB. */
@Injectable()
export class ImageReader {
  private readonly log = logger('pdf');

  constructor(private readonly reports: ReportReader) {}

  async read(projectId: string, { render_data }: Content): Promise<PdfImages> {
    // Grooves are drawn in the stored pixels. An image without grooves is turned as its EXIF orientation requires.
    const wanted = [
      ...render_data.tread_overlays.map(({ asset }) => ({ assetId: asset.asset_id, asStored: true })),
      ...render_data.sidewall_specs.map(({ asset }) => ({ assetId: asset.asset_id, asStored: false })),
    ];
    const read = new Map<string, PdfImage>();
    for (const { assetId, asStored } of wanted) {
      const image = await this.one(projectId, assetId, asStored);
      if (image) read.set(assetId, image);
    }
    return read;
  }

  private async one(projectId: string, assetId: string, asStored: boolean): Promise<PdfImage | undefined> {
    const url = (await this.reports.image(projectId, assetId))?.url;
    if (url === undefined) return undefined;
    try {
      return await smaller(await bytesOf(url), asStored);
    } catch (error) {
      this.log.warn({ err: error, asset_id: assetId }, 'An image cannot be read; the PDF has a text in its place');
      return undefined;
    }
  }
}

async function bytesOf(url: string): Promise<Buffer> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error(`The store answers ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`More than ${MAX_BYTES} bytes`);
  }
  return Buffer.concat(chunks);
}

async function smaller(bytes: Buffer, asStored: boolean): Promise<PdfImage> {
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, sequentialRead: true });
  const { data, info } = await (asStored ? image : image.autoOrient())
    .resize(LONG_SIDE_PX, LONG_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: data, widthPx: info.width, heightPx: info.height };
}
