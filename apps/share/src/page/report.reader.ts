import { Inject, Injectable } from '@nestjs/common';
import { Content } from '@tire/contracts/api';
import { type assetsApi, type contentApi } from '@tire/contracts/grpc';
import { logger, type PromiseClient } from '@tire/platform';
import { LinkService, type LinkState } from '../links/link.service';
import { ASSETS, CONTENT } from '../tokens';
import type { PageImage } from './images';

export type OpenLink = Extract<LinkState, { status: 'active' }>;

/** Reads what page and PDF need: the state of a link, the content of its report, and the addresses of its images. */
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

  /** Undefined if the image cannot be shown, or not yet. A report without one of its images is still worth reading. */
  async image(projectId: string, assetId: string): Promise<PageImage | undefined> {
    try {
      const { url, smallUrl, orientation, widthPx, heightPx } = await this.assets.signDisplay({ projectId, assetId });
      return { url, smallUrl, orientation, widthPx, heightPx };
    } catch (error) {
      this.log.warn({ err: error, asset_id: assetId }, 'An image has no address; the report is shown without it');
      return undefined;
    }
  }
}
