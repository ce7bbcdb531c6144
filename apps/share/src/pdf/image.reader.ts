import { Injectable } from '@nestjs/common';
import type { Content } from '@tire/contracts/api';
import { logger, readObject } from '@tire/platform';
import type { PageImage } from '../page/document/images';
import { type ImagesOf, type OpenLink, ReportReader } from '../page/report.reader';
import { assetIds } from '../page/facts/facts';
import type { PdfImage, PdfImages } from './images';
import type { PdfPartner } from './partner';

/** A derivative of 480 pixels has 40 KB; with noise in every pixel 200 KB. */
const MAX_BYTES = 512 * 1_024;
const TIME_LIMIT_MS = 5_000;
const JPEG_START = Buffer.from([0xff, 0xd8]);
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** Reads the small derivatives of a report's images. They are embedded as they are: this service decodes nothing that a partner sent. */
@Injectable()
export class ImageReader {
  private readonly log = logger('pdf');

  constructor(private readonly reports: ReportReader) {}

  async read(link: ImagesOf, content: Content): Promise<PdfImages> {
    const images = await this.reports.images(link, assetIds(content));
    const read = await Promise.all([...images].map(async ([assetId, image]) => [assetId, await this.one(assetId, image)] as const));
    return new Map(read.flatMap(([assetId, image]) => (image === undefined ? [] : [[assetId, image]])));
  }

  async partner(link: Pick<OpenLink, 'projectId' | 'partner'>): Promise<PdfPartner & { readonly isComplete: boolean }> {
    const { logo, ...partner } = await this.reports.partner(link);
    if (logo === null) return { ...partner, logo: null };
    try {
      return { ...partner, logo: { ...logo, png: await bytesOf(logo.url, PNG_START) } };
    } catch (error) {
      this.log.warn({ err: error }, 'A logo cannot be read; the PDF has none');
      return { ...partner, logo: null, isComplete: false };
    }
  }

  private async one(assetId: string, image: PageImage | 'ended'): Promise<PdfImage | 'ended' | undefined> {
    if (image === 'ended') return image;
    const { smallUrl, orientation, widthPx, heightPx } = image;
    try {
      return { jpeg: await bytesOf(smallUrl, JPEG_START), orientation, widthPx, heightPx };
    } catch (error) {
      this.log.warn({ err: error, asset_id: assetId }, 'An image cannot be read; the PDF has a text in its place');
      return undefined;
    }
  }
}

async function bytesOf(url: string, start: Buffer): Promise<Buffer> {
  const bytes = await readObject(url, { timeoutMs: TIME_LIMIT_MS, maxBytes: MAX_BYTES });
  if (!bytes.subarray(0, start.length).equals(start)) throw new Error('Not the format that assets makes');
  return bytes;
}
