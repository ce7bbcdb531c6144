import { Inject, Injectable } from '@nestjs/common';
import { brotliCompressSync, constants } from 'node:zlib';
import { CLOCK, type Clock } from '@tire/kernel';
import { logger } from '@tire/platform';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config';
import { pdfUrl, shareUrl } from '../links/addresses';
import type { ValidLink } from '../links/link.service';
import { CONFIG } from '../tokens';
import { closedPage } from './document/closed-page';
import type { Asked, Language } from './words/language';
import type { Page } from './document/layout';
import { RenderCache, type Rendered } from './render-cache';
import { reportPage } from './document/report-page';
import { type OpenLink, type ReadReport, ReportReader } from './report.reader';
import { assetIds } from './facts/facts';
import { wordsOf } from './words/words';

// The address of an image is valid for ten minutes. A visitor who gets the page from the cache has nine minutes left at least.
const COMPLETE_TTL_MS = 60_000;
// The cache time of a page without one of its images. It is long enough that many visitors cost no more than one, and a visitor hardly
// notices it. It counts from the end of rendering, which takes seconds by itself if assets is slow.
const INCOMPLETE_TTL_MS = 3_000;
// About 60 KB each.
const CACHE_BYTES_MAX = 64 * 1_024 * 1_024;
const RECENT_MAX = 10_000;

/** A page as bytes, so that a page from the cache costs nothing but sending. */
type ServedPage = Omit<Page, 'html'> & {
  readonly body: Buffer;
  /** The same bytes for a browser that takes brotli. */
  readonly brotli?: Buffer;
};

/** Compressed once for each rendering, so a middle quality costs little. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

@Injectable()
export class PageService {
  private readonly log = logger('page');
  private readonly nowMs = (): number => this.clock.now().getTime();
  /**
   * The key holds all that a page depends on: the content revision, which never changes, whether it has samples, the token, the language and the version of the
   * partner's settings. Each view checks the link first.
   */
  private readonly pages: RenderCache<ServedPage>;
  /** Views of the last minute: their pages are probably in the cache. */
  private readonly recent: LRUCache<string, true>;

  constructor(
    private readonly reports: ReportReader,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.pages = new RenderCache(CACHE_BYTES_MAX, this.nowMs);
    this.recent = new LRUCache({ max: RECENT_MAX, ttl: COMPLETE_TTL_MS, ttlResolution: 0, perf: { now: this.nowMs } });
  }

  async open(token: string, { language, preferred }: Asked): Promise<ServedPage> {
    try {
      let ahead: Promise<ReadReport> | undefined;
      const link = await this.reports.open(token, (valid) => {
        ahead = this.readAhead(valid, token, language);
      });
      if (link.status !== 'active') return served(closedPage(link.status, preferred));
      const key = [link.contentRevision, link.hasSamples, link.hasEndedImages, token, language, link.partner.version].join(' ');
      return await this.pages.get(key, () => this.render(link, token, language, ahead));
    } catch (error) {
      this.log.error({ err: error }, 'A share page cannot be shown');
      return served(closedPage('unavailable', preferred));
    }
  }

  /** The content of a revision never changes, so a first view reads it while the ledger decides whether the page is open. */
  private readAhead(link: ValidLink, token: string, language: Language | null): Promise<ReadReport> | undefined {
    const view = [link.contentRevision, token, language, link.partner.version].join(' ');
    if (this.recent.has(view)) return undefined;
    this.recent.set(view, true);
    const report = this.reports.report(link, language);
    // A page that turns out to be closed does not wait for it.
    report.catch(() => undefined);
    return report;
  }

  private async render(
    link: OpenLink,
    token: string,
    language: Language | null,
    ahead: Promise<ReadReport> | undefined,
  ): Promise<Rendered<ServedPage>> {
    const beganMs = this.nowMs();
    const report = await (ahead ?? this.reports.report(link, language));
    const { content } = report;
    const ids = assetIds(content);
    const [images, partner] = await Promise.all([this.reports.images(link, ids), this.reports.partner(link)]);
    const { OBJECT_STORE_PUBLIC_ORIGIN: objectStore, SHARE_BASE_URL: base } = this.config;
    const imageOrigin = new URL(objectStore).origin;
    const words = wordsOf(content);
    // No token has a dot, so this is not the address of a link.
    const cardUrl = `${base}/r/${words.card}`;
    const others = report.others.map((other) => ({ words: other, url: shareUrl(this.config, token, other.language) }));
    const pdf = pdfUrl(this.config, token, report.isOwn ? null : words.language);
    const page = served(
      reportPage({
        content,
        hasSamples: link.hasSamples,
        images,
        imageOrigin,
        cardUrl,
        pdfUrl: pdf,
        partner,
        timeZone: link.partner.timeZone,
        others,
      }),
    );
    const value = { ...page, brotli: brotliCompressSync(page.body, QUALITY) };
    const bytes = value.body.length + value.brotli.length;
    // Those whose time is over do not come back.
    const isComplete = images.size === new Set(ids).size && partner.isComplete;
    return { value, bytes, untilMs: isComplete ? beganMs + COMPLETE_TTL_MS : this.nowMs() + INCOMPLETE_TTL_MS };
  }
}

const served = ({ html, ...page }: Page): ServedPage => ({ ...page, body: Buffer.from(html) });
