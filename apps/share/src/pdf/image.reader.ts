import { Injectable } from '@nestjs/common';
import type { Content } from '@tire/contracts/api';
import { logger } from '@tire/platform';
import { ReportReader } from '../page/report.reader';
import { assetIds } from '../page/facts';
import type { PdfImage, PdfImages } from './images';

/** A derivative of 480 pixels has 40 KB; with noise in every pixel 200 KB. */
const MAX_BYTES = 512 * 1_024;
const TIME_LIMIT_MS = 5_000;

/** Reads the small derivatives of a report's images. They are embedded as they are: this service decodes nothing that a partner sent. */
@Injectable()
export class ImageReader {
  private readonly log = logger('pdf');

  constructor(private readonly reports: ReportReader) {}

  async read(projectId: string, content: Content): Promise<PdfImages> {
    const ids = [...new Set(assetIds(content))];
    const read = await Promise.all(ids.map(async (assetId) => [assetId, await this.one(projectId, assetId)] as const));
    return new Map(read.filter((entry): entry is [string, PdfImage] => entry[1] !== undefined));
  }

  private async one(projectId: string, assetId: string): Promise<PdfImage | undefined> {
    const image = await this.reports.image(projectId, assetId);
    if (!image) return undefined;
    const { smallUrl, orientation, widthPx, heightPx } = image;
    try {
      return { jpeg: await bytesOf(smallUrl), orientation, widthPx, heightPx };
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
  const bytes = Buffer.concat(chunks);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Error('Not a JPEG');
  return bytes;
}
