import { Inject, Injectable } from '@nestjs/common';
import { Content } from '@tire/contracts/api';
import { type assetsApi, type contentApi } from '@tire/contracts/grpc';
import { DomainError } from '@tire/kernel';
import { ASSETS, CONTENT, isUnknownCall, logger, type PromiseClient } from '@tire/platform';
import { LinkService, type LinkState, type ValidLink } from '../links/link.service';
import type { PageImage } from './document/images';
import type { Language } from './words/language';
import type { ShownPartner } from './document/partner-band';
import { LANGUAGES, type Words, wordsOf } from './words/words';

export type OpenLink = Extract<LinkState, { status: 'active' }>;

export type ImagesOf = Pick<OpenLink, 'projectId' | 'hasEndedImages'>;

export interface ReadReport {
  readonly content: Content;
  /** Whether this is the language of the report. */
  readonly isOwn: boolean;
  readonly others: readonly Words[];
}

interface Answer {
  readonly image?: PageImage | undefined;
  readonly notFound: boolean;
}

const parsed = (json: Buffer): Content => Content.parse(JSON.parse(json.toString('utf8')));

/** Reads what page and PDF need: the state of a link, the content of its report, and the addresses of its images. */
@Injectable()
export class ReportReader {
  private readonly log = logger('report');

  constructor(
    private readonly links: LinkService,
    @Inject(CONTENT) private readonly content: PromiseClient<contentApi.ContentServiceClient>,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
  ) {}

  open(token: string, whenValid?: (link: ValidLink) => void): Promise<LinkState> {
    return this.links.open(token, whenValid);
  }

  /** The report in the requested language if its content has it, else in its own. */
  async report(link: ValidLink, language: Language | null): Promise<ReadReport> {
    const { projectId, reportId, contentRevision } = link;
    const { contentJson, locales } = await this.content.getContentRevision({ projectId, reportId, contentRevision });
    const own = parsed(contentJson);
    const all = LANGUAGES.filter((words) => words === wordsOf(own) || locales.includes(words.locale));
    const shown = all.find((words) => words.language === language) ?? wordsOf(own);
    const others = all.filter((words) => words !== shown);
    if (shown === wordsOf(own)) return { content: own, isOwn: true, others };
    const translated = await this.content.getTranslation({ projectId, reportId, contentRevision, locale: shown.locale });
    return { content: parsed(translated.contentJson), isOwn: false, others };
  }

  /** With the address of the logo, unless there is none now. */
  async partner({ projectId, partner }: Pick<OpenLink, 'projectId' | 'partner'>): Promise<ShownPartner & { readonly isComplete: boolean }> {
    const { name, phone, address, openingHours, logo } = partner;
    const texts = { name, phone, address, openingHours };
    if (logo === null) return { ...texts, logo: null, isComplete: true };
    try {
      const { url } = await this.assets.signLogo({ projectId, name: logo.name });
      return { ...texts, logo: { url, widthPx: logo.widthPx, heightPx: logo.heightPx }, isComplete: true };
    } catch (error) {
      this.log.warn({ err: error }, 'A logo has no address; the report is shown without it');
      return { ...texts, logo: null, isComplete: false };
    }
  }

  /**
   * `ended`: the time of an image is over. One that cannot be shown now is left out: its notice would be untrue. A report without one of its
   * images is still useful.
   */
  async images({ projectId, hasEndedImages }: ImagesOf, ids: readonly string[]): Promise<ReadonlyMap<string, PageImage | 'ended'>> {
    const assetIds = [...new Set(ids)];
    if (assetIds.length === 0) return new Map();
    try {
      const answers = await this.signed(projectId, assetIds);
      const seen = assetIds.map((assetId, index): [string, PageImage | 'ended' | undefined] => {
        const { image, notFound } = answers[index]!;
        return [assetId, image ?? (notFound && hasEndedImages ? 'ended' : undefined)];
      });
      return new Map(seen.flatMap(([assetId, image]) => (image ? [[assetId, image]] : [])));
    } catch (error) {
      this.log.warn({ err: error }, 'The images have no addresses; the report is shown without them');
      return new Map();
    }
  }

  private async signed(projectId: string, assetIds: readonly string[]): Promise<readonly Answer[]> {
    try {
      return (await this.assets.signPageImages({ projectId, assetIds: [...assetIds] })).answers;
    } catch (error) {
      if (!isUnknownCall(error)) throw error;
      return Promise.all(assetIds.map((assetId) => this.signedByFormerRelease(projectId, assetId)));
    }
  }

  /** Assets of the release before thumbnails signs one image at a time. The release after the next needs this no more. */
  private async signedByFormerRelease(projectId: string, assetId: string): Promise<Answer> {
    try {
      const { smallUrl, orientation, widthPx, heightPx } = await this.assets.signDisplay({ projectId, assetId });
      return { image: { thumbnailUrl: null, smallUrl, orientation, widthPx, heightPx }, notFound: false };
    } catch (error) {
      this.log.info({ err: error, asset_id: assetId }, 'An image has no address; the report is shown without it');
      return { notFound: error instanceof DomainError && error.code === 'not_found' };
    }
  }
}
