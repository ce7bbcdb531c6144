import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Content } from '@tire/contracts/api';
import { CLOCK, dayIn, FairTurns, TooManyWaiting, WaitedTooLong, type Clock } from '@tire/kernel';
import { logger } from '@tire/platform';
import type { Config } from '../config';
import { closedPage } from '../page/document/closed-page';
import type { Asked, Language } from '../page/words/language';
import { REPORT_HEADERS } from '../page/document/layout';
import { RenderCache, type Rendered } from '../page/render-cache';
import { type OpenLink, ReportReader } from '../page/report.reader';
import { assetIds } from '../page/facts/facts';
import { wordsOf } from '../page/words/words';
import { CONFIG } from '../tokens';
import { ImageReader } from './image.reader';
import { PdfThread } from './pdf-thread';
import type { ReportPdfInput } from './report-pdf';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

/** About two hundred reports. */
const CACHE_BYTES_MAX = 48 * 1_024 * 1_024;
// The bytes of a discarded report leave this process soon. They are never served, because each request checks the link first.
const TTL_MS = 10 * 60_000;

// The cache time of a PDF without one of its images. It prevents that a visitor repeats the work all the time.
const INCOMPLETE_TTL_MS = 10_000;

/** One project makes a quarter of the PDFs at most: drawing takes most of the time, and two threads draw. */
const OF_PROJECT_DIVISOR = 4;
/** PDFs of one project that wait for a turn. The next visitor of this project gets 503, and visitors of others do not. */
const WAITING_OF_PROJECT = 8;
/** A visitor does not wait longer for the first byte. */
const WAIT_MS_MAX = 10_000;

/** The report as a PDF, under the rules of its page: each request checks the link, and a closed link answers as the page does. */
@Injectable()
export class PdfService implements OnModuleDestroy {
  private readonly log = logger('pdf');
  /** The threads without work. The second one starts when two projects need one at once. */
  private readonly idle = [new PdfThread(), new PdfThread()];
  private readonly threads = [...this.idle];
  private readonly nowMs = (): number => this.clock.now().getTime();
  /** The key holds the content revision, which never changes, the language and the version of the partner's settings. */
  private readonly answers: RenderCache<Answer>;
  private readonly turns: FairTurns;
  /** A project draws one PDF at a time, so that another one need not wait for it. */
  private readonly drawing: FairTurns;

  constructor(
    private readonly reports: ReportReader,
    private readonly images: ImageReader,
    @Inject(CONFIG) config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.answers = new RenderCache(CACHE_BYTES_MAX, this.nowMs);
    const atOnce = config.SHARE_PDFS_AT_ONCE;
    this.turns = new FairTurns({ capacity: atOnce, ofKey: Math.ceil(atOnce / OF_PROJECT_DIVISOR), waitingOfKey: WAITING_OF_PROJECT });
    this.drawing = new FairTurns({ capacity: this.threads.length, ofKey: 1, waitingOfKey: atOnce });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  async open(token: string, { language, preferred }: Asked): Promise<Answer> {
    try {
      const link = await this.reports.open(token);
      if (link.status !== 'active') return closed(link.status, preferred);
      const key = [link.contentRevision, link.hasSamples, language, link.partner.version].join(' ');
      const answer = await this.answers.get(key, () => this.inTurn(link, language));
      // Making it may take a second. Meanwhile the link may have been closed, or opened again with other content.
      const now = await this.reports.open(token);
      if (now.status !== 'active') return closed(now.status, preferred);
      return now.contentRevision === link.contentRevision ? answer : closed('unavailable', preferred);
    } catch (error) {
      if (!(error instanceof TooManyWaiting || error instanceof WaitedTooLong)) this.log.error({ err: error }, 'A PDF cannot be made');
      return closed('unavailable', preferred);
    }
  }

  private async drawn(input: ReportPdfInput): Promise<Buffer> {
    const thread = this.idle.pop()!;
    try {
      return await thread.draw(input);
    } finally {
      this.idle.push(thread);
    }
  }

  private inTurn(link: OpenLink, language: Language | null): Promise<Rendered<Answer>> {
    return this.turns.run(link.projectId, () => this.make(link, language), { untilMs: performance.now() + WAIT_MS_MAX });
  }

  private async make(link: OpenLink, language: Language | null): Promise<Rendered<Answer>> {
    const [{ content }, partner] = await Promise.all([this.reports.report(link, language), this.images.partner(link)]);
    const images = await this.images.read(link.projectId, content);
    const body = await this.drawing.run(link.projectId, () =>
      this.drawn({ content, hasSamples: link.hasSamples, images, partner, timeZone: link.partner.timeZone }),
    );
    // An image that could not be read now may be readable next time.
    const isComplete = partner.isComplete && assetIds(content).every((assetId) => images.has(assetId));
    const untilMs = this.nowMs() + (isComplete ? TTL_MS : INCOMPLETE_TTL_MS);
    return { value: { status: 200, headers: headersOf(content, link.partner.timeZone), body }, bytes: body.length, untilMs };
  }
}

function closed(...reason: Parameters<typeof closedPage>): Answer {
  const { status, headers, html } = closedPage(...reason);
  return { status, headers, body: html };
}

function headersOf(content: Content, timeZone: string): Record<string, string> {
  const { inspected_at: inspectedAt } = content.report_context;
  const day = inspectedAt === null ? '' : `-${dayIn(timeZone, new Date(inspectedAt))}`;
  const name = encodeURIComponent(wordsOf(content).pdfName(day));
  return {
    ...REPORT_HEADERS,
    'content-type': 'application/pdf',
    'content-security-policy': `frame-ancestors 'none'`,
    'content-disposition': `inline; filename="tire-report${day}.pdf"; filename*=UTF-8''${name}`,
  };
}
