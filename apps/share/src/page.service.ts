import { Inject, Injectable } from '@nestjs/common';
import { type assetsApi, Content, type contentApi } from '@tire/contracts';
import { logger, type PromiseClient } from '@tire/platform';
import { Kept, type Made } from './kept';
import { closedPage } from './page/closed-page';
import type { Page } from './page/layout';
import { reportPage } from './page/report-page';
import { assetIds } from './page/words';
import { SETTINGS, type Settings } from './settings';
import { LinkService, type LinkState } from './link.service';

export const CONTENT = Symbol('content');
export const ASSETS = Symbol('assets');

// A photograph's address lives for ten minutes. Whoever is shown the same page a minute later has nine left.
const SHOWN_AGAIN_MS = 60_000;
// About 50 KB each.
const KEPT_BYTES_MAX = 64 * 1_024 * 1_024;

/** No token has a dot: it is no link. */
export const CARD_PATH = '/r/card.png';

type OpenLink = Extract<LinkState, { status: 'active' }>;

/** A page as it leaves: as bytes, so that one that is shown again costs nothing but sending. */
type ServedPage = Omit<Page, 'html'> & { readonly body: Buffer };

@Injectable()
export class PageService {
  private readonly log = logger('page');
  /** By content revision, which never changes. Whether a page may be shown is asked before it is looked for here. */
  private readonly pages: Kept<ServedPage>;

  constructor(
    private readonly links: LinkService,
    @Inject(CONTENT) private readonly content: PromiseClient<contentApi.ContentServiceClient>,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.pages = new Kept(SHOWN_AGAIN_MS, KEPT_BYTES_MAX, () => settings.clock.now().getTime());
  }

  async open(token: string): Promise<ServedPage> {
    try {
      const link = await this.links.open(token);
      if (link.status !== 'active') return served(closedPage(link.status));
      return await this.pages.get(link.contentRevision, () => this.render(link));
    } catch (error) {
      this.log.error({ err: error }, 'A share page cannot be shown');
      return served(closedPage('unavailable'));
    }
  }

  private async render(link: OpenLink): Promise<Made<ServedPage>> {
    const content = await this.document(link);
    const ids = assetIds(content);
    const photographUrls = await this.photographUrls(link.projectId, ids);
    const { photographOrigin, shareBaseUrl } = this.settings;
    const value = served(reportPage({ content, photographUrls, photographOrigin, cardUrl: `${shareBaseUrl}${CARD_PATH}` }));
    return { value, bytes: value.body.length, complete: photographUrls.size === new Set(ids).size };
  }

  private async document({ projectId, reportId, contentRevision }: OpenLink): Promise<Content> {
    const { contentJson } = await this.content.getContentRevision({ projectId, reportId, contentRevision });
    return Content.parse(JSON.parse(contentJson.toString('utf8')));
  }

  private async photographUrls(projectId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const signed = await Promise.all(ids.map((assetId) => this.sign(projectId, assetId)));
    return new Map(signed.filter((entry) => entry !== undefined));
  }

  /** A report without one of its photographs is still worth reading. */
  private async sign(projectId: string, assetId: string): Promise<[string, string] | undefined> {
    try {
      const { url } = await this.assets.signRead({ projectId, assetId });
      return [assetId, url];
    } catch (error) {
      this.log.warn({ err: error, asset_id: assetId }, 'A photograph has no address; the page is shown without it');
      return undefined;
    }
  }
}

const served = ({ html, ...page }: Page): ServedPage => ({ ...page, body: Buffer.from(html) });
