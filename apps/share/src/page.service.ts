import { Inject, Injectable } from '@nestjs/common';
import { type assetsApi, Content, type contentApi } from '@tire/contracts';
import { logger, type PromiseClient } from '@tire/platform';
import { Lru } from './lru';
import { closedPage } from './page/closed-page';
import type { Page } from './page/layout';
import { reportPage } from './page/report-page';
import { SETTINGS, type Settings } from './settings';
import { LinkService, type LinkState } from './link.service';

export const CONTENT = Symbol('content');
export const ASSETS = Symbol('assets');

/** No token has a dot: it is no link. */
export const CARD_PATH = '/r/card.png';

type OpenLink = Extract<LinkState, { status: 'active' }>;

@Injectable()
export class PageService {
  private readonly log = logger('page');
  // A document never changes, so it is never stale here. About 60 KB each when parsed.
  private readonly documents = new Lru<Content>(500);

  constructor(
    private readonly links: LinkService,
    @Inject(CONTENT) private readonly content: PromiseClient<contentApi.ContentServiceClient>,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async open(token: string): Promise<Page> {
    try {
      const link = await this.links.open(token);
      if (link.status !== 'active') return closedPage(link.status);
      const content = await this.document(link);
      const photographUrls = await this.photographUrls(link.projectId, content);
      const { photographOrigin, shareBaseUrl } = this.settings;
      return reportPage({ content, photographUrls, photographOrigin, cardUrl: `${shareBaseUrl}${CARD_PATH}` });
    } catch (error) {
      this.log.error({ err: error }, 'A share page cannot be shown');
      return closedPage('unavailable');
    }
  }

  private async document({ projectId, reportId, contentRevision }: OpenLink): Promise<Content> {
    const known = this.documents.get(contentRevision);
    if (known) return known;
    const { contentJson } = await this.content.getContentRevision({ projectId, reportId, contentRevision });
    const content = Content.parse(JSON.parse(contentJson.toString('utf8')));
    this.documents.set(contentRevision, content);
    return content;
  }

  private async photographUrls(projectId: string, { render_data }: Content): Promise<Map<string, string>> {
    const assetIds = [...render_data.tread_overlays, ...render_data.sidewall_specs].map(({ asset }) => asset.asset_id);
    const signed = await Promise.all(assetIds.map((assetId) => this.sign(projectId, assetId)));
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
