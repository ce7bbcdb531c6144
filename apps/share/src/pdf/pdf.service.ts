import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Content } from '@tire/contracts/api';
import { CLOCK, type Clock } from '@tire/kernel';
import { logger } from '@tire/platform';
import type { Config } from '../config';
import { closedPage } from '../page/closed-page';
import { REPORT_HEADERS } from '../page/layout';
import { RenderCache, type Rendered } from '../page/render-cache';
import { type OpenLink, ReportReader } from '../page/report.reader';
import { assetIds } from '../page/words';
import { CONFIG } from '../tokens';
import { ImageReader } from './image.reader';
import { PdfThread } from './pdf-thread';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

/** About two hundred reports. */
const CACHE_BYTES_MAX = 48 * 1_024 * 1_024;
// The bytes of a discarded report leave this process soon. Nobody gets them, because each request checks the link first.
const TTL_MS = 10 * 60_000;

/** The limit of PDFs at once is reached. */
class Busy extends Error {}

/** The report as a PDF, under the rules of its page: each request checks the link, and a closed link answers as the page does. */
@Injectable()
export class PdfService implements OnModuleDestroy {
  private readonly log = logger('pdf');
  private readonly thread = new PdfThread();
  private readonly nowMs = (): number => this.clock.now().getTime();
  /** The key is the content revision, which never changes. */
  private readonly answers: RenderCache<Answer>;
  private inFlight = 0;

  constructor(
    private readonly reports: ReportReader,
    private readonly images: ImageReader,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.answers = new RenderCache(CACHE_BYTES_MAX, this.nowMs);
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread.stop();
  }

  async open(token: string): Promise<Answer> {
    try {
      const link = await this.reports.open(token);
      if (link.status !== 'active') return closed(link.status);
      const answer = await this.answers.get(link.contentRevision, () => this.make(link));
      // Making it may take a second. Meanwhile the link may have been closed, or opened again with other content.
      const now = await this.reports.open(token);
      if (now.status !== 'active') return closed(now.status);
      return now.contentRevision === link.contentRevision ? answer : closed('unavailable');
    } catch (error) {
      if (!(error instanceof Busy)) this.log.error({ err: error }, 'A PDF cannot be made');
      return closed('unavailable');
    }
  }

  private async make(link: OpenLink): Promise<Rendered<Answer>> {
    if (this.inFlight >= this.config.SHARE_PDFS_AT_ONCE) throw new Busy();
    this.inFlight += 1;
    try {
      const content = await this.reports.document(link);
      const images = await this.images.read(link.projectId, content);
      const body = await this.thread.draw({ content, images });
      // An image that could not be read may be readable next time.
      const isComplete = assetIds(content).every((assetId) => images.has(assetId));
      const untilMs = isComplete ? this.nowMs() + TTL_MS : 0;
      return { value: { status: 200, headers: headersOf(content), body }, bytes: body.length, untilMs };
    } finally {
      this.inFlight -= 1;
    }
  }
}

function closed(reason: Parameters<typeof closedPage>[0]): Answer {
  const { status, headers, html } = closedPage(reason);
  return { status, headers, body: html };
}

const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Asia/Seoul' });

function headersOf({ report_context: { inspected_at: inspectedAt } }: Content): Record<string, string> {
  const day = inspectedAt === null ? '' : `-${DAY.format(new Date(inspectedAt))}`;
  const korean = encodeURIComponent(`타이어-점검-리포트${day}.pdf`);
  return {
    ...REPORT_HEADERS,
    'content-type': 'application/pdf',
    'content-security-policy': `frame-ancestors 'none'`,
    'content-disposition': `inline; filename="tire-report${day}.pdf"; filename*=UTF-8''${korean}`,
  };
}
