import { Inject, Injectable } from '@nestjs/common';
import { type ledgerApi, type shareApi } from '@tire/contracts';
import { DomainError, isUuid } from '@tire/kernel';
import { Database, type PromiseClient } from '@tire/platform';
import { type CurrentReport, linkStatus, type LinkStatus } from './domain/link';
import { type PublicationRow, PublicationStore, type ShareLink, tokenDigest } from './publication.store';
import { SETTINGS, type Settings, shareUrl } from './settings';

export const LEDGER = Symbol('ledger');

// 128 bits or more in any URL-safe alphabet; anything else was never a token of ours.
const TOKEN = /^[A-Za-z0-9_-]{16,128}$/;

export type LinkState =
  | { readonly status: 'unknown' }
  | { readonly status: Exclude<LinkStatus, 'active'> }
  | { readonly status: 'active'; readonly projectId: string; readonly reportId: string; readonly contentRevision: string };

@Injectable()
export class ShareService {
  constructor(
    private readonly database: Database,
    private readonly store: PublicationStore,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async share(projectId: string, reportId: string): Promise<shareApi.GetShareResponse> {
    if (!isUuid(projectId) || !isUuid(reportId)) throw new DomainError('not_found');
    const { link, publication } = await this.database.withProject(projectId, async (tx) => ({
      link: await this.store.newestLink(tx, reportId),
      publication: await this.store.find(tx, reportId),
    }));
    if (!link || !publication) throw new DomainError('not_found');
    return {
      status: await this.statusOf(link, publication),
      shareUrl: link.revokedAt === null ? shareUrl(this.settings, link.token) : undefined,
      expiresAt: link.expiresAt.toISOString(),
      revokedAt: link.revokedAt?.toISOString(),
      createdAt: link.createdAt.toISOString(),
    };
  }

  /** What a visitor with this token may see now. */
  async openLink(token: string): Promise<LinkState> {
    if (!TOKEN.test(token)) return { status: 'unknown' };
    const found = await this.database.asSystem(async (tx) => {
      const link = await this.store.linkByDigest(tx, tokenDigest(token));
      const publication = link && (await this.store.find(tx, link.reportId));
      return link && publication ? { link, publication } : undefined;
    });
    if (!found) return { status: 'unknown' };
    const { link, publication } = found;
    const status = await this.statusOf(link, publication);
    if (status !== 'active') return { status };
    const contentRevision = publishedContent(publication);
    if (contentRevision === null) throw new Error(`Link of ${link.reportId} is active without content`);
    return { status, projectId: link.projectId, reportId: link.reportId, contentRevision };
  }

  private async statusOf(link: ShareLink, publication: PublicationRow): Promise<LinkStatus> {
    const published = publishedContent(publication);
    const now = this.settings.clock.now();
    const withoutAsking = linkStatus(link, published, null, now);
    if (withoutAsking !== 'closed' || published === null) return withoutAsking;
    return linkStatus(link, published, await this.current(link.projectId, link.reportId), now);
  }

  /** Null when the ledger does not serve the report any more. */
  private async current(projectId: string, reportId: string): Promise<CurrentReport | null> {
    try {
      const { analysisStatus, contentRevision } = await this.ledger.getPublicationState({ projectId, reportId });
      return { analysisStatus, contentRevision: contentRevision ?? null };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return null;
      throw error;
    }
  }
}

const publishedContent = ({ status, lastContentRevision }: PublicationRow): string | null =>
  status === 'published' ? lastContentRevision : null;
