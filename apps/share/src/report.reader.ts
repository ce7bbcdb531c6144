import { Inject, Injectable } from '@nestjs/common';
import { type assetsApi, Content, type contentApi } from '@tire/contracts';
import { logger, type PromiseClient } from '@tire/platform';
import { LinkService, type LinkState } from './link.service';
import type { Photograph } from './page/photographs';

export const CONTENT = Symbol('content');
export const ASSETS = Symbol('assets');

export type OpenLink = Extract<LinkState, { status: 'active' }>;

/** What page and PDF are made of: whether a link is open now, its document, and where its photographs are. */
@Injectable()
export class ReportReader {
  private readonly log = logger('report');

  constructor(
    private readonly links: LinkService,
    @Inject(CONTENT) private readonly content: PromiseClient<contentApi.ContentServiceClient>,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
  ) {}

  open(token: string): Promise<LinkState> {
    return this.links.open(token);
  }

  async document({ projectId, reportId, contentRevision }: OpenLink): Promise<Content> {
    const { contentJson } = await this.content.getContentRevision({ projectId, reportId, contentRevision });
    return Content.parse(JSON.parse(contentJson.toString('utf8')));
  }

  /** A report without one of its photographs is still worth reading: one that has no address is left out. */
  async photograph(projectId: string, assetId: string): Promise<Photograph | undefined> {
    try {
      const { url, orientation, widthPx, heightPx } = await this.assets.signRead({ projectId, assetId });
      return { url, orientation, widthPx, heightPx };
    } catch (error) {
      this.log.warn({ err: error, asset_id: assetId }, 'A photograph has no address; the report is shown without it');
      return undefined;
    }
  }
}
