import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Content } from '@tire/contracts';
import { logger } from '@tire/platform';
import { Kept, type Made } from './kept';
import { closedPage } from './page/closed-page';
import { REPORT_HEADERS } from './page/layout';
import { assetIds } from './page/words';
import { PdfThread } from './pdf/pdf-thread';
import { PhotographReader } from './photograph.reader';
import { type OpenLink, ReportReader } from './report.reader';
import { SETTINGS, type Settings } from './settings';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

/** About two hundred reports. */
const KEPT_BYTES_MAX = 48 * 1_024 * 1_024;
// Nobody may be shown a discarded report, and its bytes leave this process soon after.
const KEPT_MS = 10 * 60_000;

/** As many are being made as may be at once. */
class Busy extends Error {}

/** The report as a PDF, under the same rules as its page: open or not is asked each time, and a closed one answers as the page does. */
@Injectable()
export class PdfService implements OnModuleDestroy {
  private readonly log = logger('pdf');
  private readonly thread = new PdfThread();
  private readonly nowMs = (): number => this.settings.clock.now().getTime();
  /** By content revision, which never changes. */
  private readonly answers: Kept<Answer>;
  private underWay = 0;

  constructor(
    private readonly reports: ReportReader,
    private readonly photographs: PhotographReader,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.answers = new Kept(KEPT_BYTES_MAX, this.nowMs);
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread.stop();
  }

  async open(token: string): Promise<Answer> {
    try {
      const link = await this.reports.open(token);
      if (link.status !== 'active') return closed(link.status);
      const answer = await this.answers.get(link.contentRevision, () => this.make(link));
      // It may have taken a second to make, in which the link may have been closed, or opened again with another content.
      const now = await this.reports.open(token);
      if (now.status !== 'active') return closed(now.status);
      return now.contentRevision === link.contentRevision ? answer : closed('unavailable');
    } catch (error) {
      if (!(error instanceof Busy)) this.log.error({ err: error }, 'A PDF cannot be made');
      return closed('unavailable');
    }
  }

  private async make(link: OpenLink): Promise<Made<Answer>> {
    if (this.underWay >= this.settings.pdfsAtOnce) throw new Busy();
    this.underWay += 1;
    try {
      const content = await this.reports.document(link);
      const photographs = await this.photographs.read(link.projectId, content);
      const body = await this.thread.draw({ content, photographs });
      // A photograph that could not be read may be there next time.
      const isComplete = assetIds(content).every((assetId) => photographs.has(assetId));
      const untilMs = isComplete ? this.nowMs() + KEPT_MS : 0;
      return { value: { status: 200, headers: headersOf(content), body }, bytes: body.length, untilMs };
    } finally {
      this.underWay -= 1;
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
