import { Inject, Injectable } from '@nestjs/common';
import { logger } from '@tire/platform';
import { Kept, type Made } from './kept';
import { closedPage } from './page/closed-page';
import type { Page } from './page/layout';
import { reportPage } from './page/report-page';
import type { Photograph } from './page/photographs';
import { assetIds } from './page/words';
import { type OpenLink, ReportReader } from './report.reader';
import { pdfUrl, SETTINGS, type Settings } from './settings';

// A photograph's address lives for ten minutes. Whoever is shown the same page a minute after it was asked for has nine left.
const SHOWN_AGAIN_MS = 60_000;
// Without a photograph that may be there next time: long enough that many readers cost no more than one, and hardly seen by one of
// them. From when the page is made: where assets are slow, that alone takes seconds.
const INCOMPLETE_AGAIN_MS = 3_000;
// About 50 KB each.
const KEPT_BYTES_MAX = 64 * 1_024 * 1_024;

/** No token has a dot: it is no link. */
export const CARD_PATH = '/r/card.png';

/** A page as it leaves: as bytes, so that one that is shown again costs nothing but sending. */
type ServedPage = Omit<Page, 'html'> & { readonly body: Buffer };

@Injectable()
export class PageService {
  private readonly log = logger('page');
  private readonly nowMs = (): number => this.settings.clock.now().getTime();
  /** By content revision, which never changes, and link, which is written in it. Whether a page may be shown is asked before it is looked for here. */
  private readonly pages: Kept<ServedPage>;

  constructor(
    private readonly reports: ReportReader,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.pages = new Kept(KEPT_BYTES_MAX, this.nowMs);
  }

  async open(token: string): Promise<ServedPage> {
    try {
      const link = await this.reports.open(token);
      if (link.status !== 'active') return served(closedPage(link.status));
      return await this.pages.get(`${link.contentRevision} ${token}`, () => this.render(link, token));
    } catch (error) {
      this.log.error({ err: error }, 'A share page cannot be shown');
      return served(closedPage('unavailable'));
    }
  }

  private async render(link: OpenLink, token: string): Promise<Made<ServedPage>> {
    const beganMs = this.nowMs();
    const content = await this.reports.document(link);
    const ids = assetIds(content);
    const photographs = await this.photographs(link.projectId, ids);
    const { photographOrigin, shareBaseUrl } = this.settings;
    const cardUrl = `${shareBaseUrl}${CARD_PATH}`;
    const value = served(reportPage({ content, photographs, photographOrigin, cardUrl, pdfUrl: pdfUrl(this.settings, token) }));
    const isComplete = photographs.size === new Set(ids).size;
    return { value, bytes: value.body.length, untilMs: isComplete ? beganMs + SHOWN_AGAIN_MS : this.nowMs() + INCOMPLETE_AGAIN_MS };
  }

  private async photographs(projectId: string, ids: readonly string[]): Promise<Map<string, Photograph>> {
    const found = await Promise.all(ids.map(async (assetId) => [assetId, await this.reports.photograph(projectId, assetId)] as const));
    return new Map(found.filter((entry): entry is [string, Photograph] => entry[1] !== undefined));
  }
}

const served = ({ html, ...page }: Page): ServedPage => ({ ...page, body: Buffer.from(html) });
