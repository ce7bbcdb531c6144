import { Injectable } from '@nestjs/common';
import type { Content } from '@tire/contracts';
import { logger } from '@tire/platform';
import sharp from 'sharp';
import type { Photograph, Photographs } from './pdf/photographs';
import { ReportReader } from './report.reader';

// Every other loader stays shut, as where photographs are measured: partners may send JPEG and PNG only, and each loader is a way in.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);

const MAX_BYTES = 20 * 1_024 * 1_024;
const MAX_PIXELS = 60_000_000;
const TIME_LIMIT_MS = 5_000;
/** About 300 to the inch in the size that it has on paper. */
const LONG_SIDE_PX = 480;
const QUALITY = 80;

/** Photographs small enough to be printed, read one after the other: each may be 20 MB. */
@Injectable()
export class PhotographReader {
  private readonly log = logger('photograph');

  constructor(private readonly reports: ReportReader) {}

  async read(projectId: string, { render_data }: Content): Promise<Photographs> {
    // Grooves are drawn in the pixels as they are stored; where nothing is drawn, the camera's note of which side is up holds.
    const wanted = [
      ...render_data.tread_overlays.map(({ asset }) => ({ assetId: asset.asset_id, asStored: true })),
      ...render_data.sidewall_specs.map(({ asset }) => ({ assetId: asset.asset_id, asStored: false })),
    ];
    const read = new Map<string, Photograph>();
    for (const { assetId, asStored } of wanted) {
      const photograph = await this.one(projectId, assetId, asStored);
      if (photograph) read.set(assetId, photograph);
    }
    return read;
  }

  private async one(projectId: string, assetId: string, asStored: boolean): Promise<Photograph | undefined> {
    const url = (await this.reports.photograph(projectId, assetId))?.url;
    if (url === undefined) return undefined;
    try {
      return await smaller(await bytesOf(url), asStored);
    } catch (error) {
      this.log.warn({ err: error, asset_id: assetId }, 'A photograph cannot be read; the PDF says so in its place');
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

async function smaller(bytes: Buffer, asStored: boolean): Promise<Photograph> {
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, sequentialRead: true });
  const { data, info } = await (asStored ? picture : picture.autoOrient())
    .resize(LONG_SIDE_PX, LONG_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: data, widthPx: info.width, heightPx: info.height };
}
