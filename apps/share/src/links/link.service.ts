import { Inject, Injectable } from '@nestjs/common';
import { type ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock, DomainError } from '@tire/kernel';
import { batched, Database, type PromiseClient } from '@tire/platform';
import { isToken, linkStatus, type LinkStatus } from '../domain/link';
import { LEDGER } from '../tokens';
import { findLinks, type StoredLink, tokenDigest } from './link.store';

export type LinkState =
  | { readonly status: 'unknown' | 'discarded' }
  | { readonly status: Exclude<LinkStatus, 'active'> }
  | { readonly status: 'active'; readonly projectId: string; readonly reportId: string; readonly contentRevision: string };

/**
 * What a visitor with a token may see now. Each view reads this database and then the ledger. Views that arrive together share one batch.
 * A view never joins a batch that is already under way, so its answer is never older than the view.
 */
@Injectable()
export class LinkService {
  private readonly linkOf: (digest: Buffer) => Promise<StoredLink | undefined>;
  private readonly pointerOf: (key: ledgerApi.ReportKey) => Promise<ledgerApi.ContentPointerAnswer>;

  constructor(
    database: Database,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.linkOf = batched((digests) => findLinks(database, digests));
    this.pointerOf = batched(async (keys, options) => (await ledger.getContentPointers({ keys }, options)).answers);
  }

  async open(token: string): Promise<LinkState> {
    if (!isToken(token)) return { status: 'unknown' };
    const link = await this.linkOf(tokenDigest(token));
    if (!link) return { status: (await this.isMinted(token)) ? 'closed' : 'unknown' };
    const { projectId, reportId, publicationStatus } = link;
    if (publicationStatus === 'discarded') return { status: 'discarded' };
    const published = publicationStatus === 'published' ? link.contentRevision : null;
    // The ledger is called only if its answer can make the link active.
    const atBest = linkStatus(link, published, published, this.clock.now());
    const status = atBest === 'active' ? linkStatus(link, published, await this.currentContent(link), this.clock.now()) : atBest;
    return status === 'active' ? { status, projectId, reportId, contentRevision: published! } : { status };
  }

  /** Null during a re-analysis, and if the ledger does not serve the report any more. */
  private async currentContent({ projectId, reportId }: StoredLink): Promise<string | null> {
    const { pointer } = await this.pointerOf({ projectId, reportId });
    return pointer?.status === 'ready' ? (pointer.contentRevision ?? null) : null;
  }

  /** The ledger mints a token with its report. This service receives it when the first analysis has ended. */
  private async isMinted(shareToken: string): Promise<boolean> {
    return (await this.ledger.findShareToken({ shareToken }).catch(nullWhenNotFound)) !== null;
  }
}

function nullWhenNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'not_found') return null;
  throw error;
}
