import { Injectable } from '@nestjs/common';
import { dayIn } from '@tire/kernel';
import { logger } from '@tire/platform';
import { closedPage } from '../page/document/closed-page';
import type { Asked, Language } from '../page/words/language';
import { type OpenLink, ReportReader } from '../page/report.reader';
import { assetIds } from '../page/facts/facts';
import { wordsOf } from '../page/words/words';
import { ImageReader } from './image.reader';
import { isBusy, PdfMaker, type PdfAnswer, type Prepared } from './pdf-maker';

/** The report as a PDF, under the rules of its page: each request checks the link, and a closed link answers as the page does. */
@Injectable()
export class PdfService {
  private readonly log = logger('pdf');

  constructor(
    private readonly reports: ReportReader,
    private readonly images: ImageReader,
    private readonly maker: PdfMaker,
  ) {}

  async open(token: string, { language, preferred }: Asked): Promise<PdfAnswer> {
    try {
      const link = await this.reports.open(token);
      if (link.status !== 'active') return closedAnswer(link.status, preferred);
      // The content revision never changes.
      const key = [link.contentRevision, link.hasSamples, link.hasEndedImages, language, link.partner.version].join(' ');
      const answer = await this.maker.get(key, link.projectId, () => this.prepare(link, language));
      // Making it may take a second. Meanwhile the link may have been closed, or opened again with other content.
      const now = await this.reports.open(token);
      if (now.status !== 'active') return closedAnswer(now.status, preferred);
      return now.contentRevision === link.contentRevision ? answer : closedAnswer('unavailable', preferred);
    } catch (error) {
      if (!isBusy(error)) this.log.error({ err: error }, 'A PDF cannot be made');
      return closedAnswer('unavailable', preferred);
    }
  }

  private async prepare(link: OpenLink, language: Language | null): Promise<Prepared> {
    const [{ content }, partner] = await Promise.all([this.reports.report(link, language), this.images.partner(link)]);
    const images = await this.images.read(link, content);
    const { inspected_at: inspectedAt } = content.report_context;
    const day = inspectedAt === null ? '' : `-${dayIn(link.partner.timeZone, new Date(inspectedAt))}`;
    return {
      drawn: {
        kind: 'report',
        input: {
          content,
          hasSamples: link.hasSamples,
          images,
          partner,
          timeZone: link.partner.timeZone,
        },
      },
      plainName: `tire-report${day}.pdf`,
      name: wordsOf(content).pdfName(day),
      isComplete: partner.isComplete && assetIds(content).every((assetId) => images.has(assetId)),
    };
  }
}

export function closedAnswer(...reason: Parameters<typeof closedPage>): PdfAnswer {
  const { status, headers, html } = closedPage(...reason);
  return { status, headers, body: html };
}
