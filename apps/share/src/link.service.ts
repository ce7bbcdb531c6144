import { Inject, Injectable } from '@nestjs/common';
import { type ledgerApi } from '@tire/contracts';
import { DomainError } from '@tire/kernel';
import { Database, type PromiseClient } from '@tire/platform';
import { type CurrentReport, linkStatus, type LinkStatus } from './domain/link';
import { PublicationStore, type ShareLink, tokenDigest } from './publication.store';
import { SETTINGS, type Settings } from './settings';
import { LEDGER, publishedContent } from './share.service';

// 128 bits or more in any URL-safe alphabet; anything else was never a token of ours.
const TOKEN = /^[A-Za-z0-9_-]{16,128}$/;

export type LinkState =
  | { readonly status: 'unknown' | 'discarded' }
  | { readonly status: Exclude<LinkStatus, 'active'> }
  | { readonly status: 'active'; readonly projectId: string; readonly reportId: string; readonly contentRevision: string };

/** What a visitor with a token may see now. */
@Injectable()
export class LinkService {
  constructor(
    private readonly database: Database,
    private readonly store: PublicationStore,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async open(token: string): Promise<LinkState> {
    if (!TOKEN.test(token)) return { status: 'unknown' };
    const found = await this.database.asSystem(async (tx) => {
      const link = await this.store.linkByDigest(tx, tokenDigest(token));
      return link && { link, publication: await this.store.find(tx, link.reportId) };
    });
    if (!found) return { status: (await this.isMinted(token)) ? 'closed' : 'unknown' };
    const { link, publication } = found;
    if (publication.status === 'discarded') return { status: 'discarded' };
    const contentRevision = publishedContent(publication);
    const status = await this.statusOf(link, contentRevision);
    if (status !== 'active') return { status };
    if (contentRevision === null) throw new Error(`Link of ${link.reportId} is active without content`);
    return { status, projectId: link.projectId, reportId: link.reportId, contentRevision };
  }

  private async statusOf(link: ShareLink, published: string | null): Promise<LinkStatus> {
    const now = this.settings.clock.now();
    const withoutAsking = linkStatus(link, published, null, now);
    if (withoutAsking !== 'closed' || published === null) return withoutAsking;
    return linkStatus(link, published, await this.current(link), now);
  }

  /** Null when the ledger does not serve the report any more. */
  private async current({ projectId, reportId }: ShareLink): Promise<CurrentReport | null> {
    const state = await this.ledger.getPublicationState({ projectId, reportId, forChange: false }).catch(nullWhenNotFound);
    return state && { analysisStatus: state.analysisStatus, contentRevision: state.contentRevision ?? null };
  }

  /** The ledger mints a token with its report, and publication hears of it when the first analysis has ended. */
  private async isMinted(shareToken: string): Promise<boolean> {
    return (await this.ledger.findShareToken({ shareToken }).catch(nullWhenNotFound)) !== null;
  }
}

function nullWhenNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'not_found') return null;
  throw error;
}
