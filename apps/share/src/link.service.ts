import { Inject, Injectable } from '@nestjs/common';
import { type ledgerApi } from '@tire/contracts';
import { DomainError } from '@tire/kernel';
import { batched, Database, type PromiseClient } from '@tire/platform';
import { isToken, linkStatus, type LinkStatus } from './domain/link';
import type { Publication } from './domain/publication';
import { tokenDigest } from './publication.store';
import { SETTINGS, type Settings } from './settings';
import { LEDGER } from './share.service';

export type LinkState =
  | { readonly status: 'unknown' | 'discarded' }
  | { readonly status: Exclude<LinkStatus, 'active'> }
  | { readonly status: 'active'; readonly projectId: string; readonly reportId: string; readonly contentRevision: string };

interface FoundLink {
  readonly digest: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly publicationStatus: Publication['status'];
  readonly contentRevision: string | null;
}

const SELECT_LINKS = `
  SELECT encode(l.token_digest, 'hex') AS digest, l.project_id AS "projectId", l.report_id AS "reportId", l.expires_at AS "expiresAt",
         l.revoked_at AS "revokedAt", p.status AS "publicationStatus", p.last_content_revision AS "contentRevision"
  FROM share_links l JOIN publications p ON p.report_id = l.report_id WHERE l.token_digest = ANY($1)`;

/**
 * What a visitor with a token may see now: asked at each view, of the own database and then of the record. Views that come together
 * are asked for together; none joins a question that has left already, so what an answer says is never older than the view.
 */
@Injectable()
export class LinkService {
  private readonly linkOf: (digest: Buffer) => Promise<FoundLink | undefined>;
  private readonly pointerOf: (key: ledgerApi.ReportKey) => Promise<ledgerApi.ContentPointerAnswer>;

  constructor(
    private readonly database: Database,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.linkOf = batched((digests) => this.links(digests));
    this.pointerOf = batched(async (keys, options) => (await ledger.getContentPointers({ keys }, options)).answers);
  }

  async open(token: string): Promise<LinkState> {
    if (!isToken(token)) return { status: 'unknown' };
    const link = await this.linkOf(tokenDigest(token));
    if (!link) return { status: (await this.isMinted(token)) ? 'closed' : 'unknown' };
    const { projectId, reportId, publicationStatus } = link;
    if (publicationStatus === 'discarded') return { status: 'discarded' };
    const published = publicationStatus === 'published' ? link.contentRevision : null;
    // Only a link that would be active if its content were the current one is worth the question.
    const atBest = linkStatus(link, published, published, this.settings.clock.now());
    const status = atBest === 'active' ? linkStatus(link, published, await this.currentContent(link), this.settings.clock.now()) : atBest;
    return status === 'active' ? { status, projectId, reportId, contentRevision: published! } : { status };
  }

  private async links(digests: readonly Buffer[]): Promise<(FoundLink | undefined)[]> {
    const rows = await this.database.systemQuery<FoundLink>(SELECT_LINKS, [digests]);
    const found = new Map(rows.map((row) => [row.digest, row]));
    return digests.map((digest) => found.get(digest.toString('hex')));
  }

  /** None while anything is measured anew, and when the ledger does not serve the report any more. */
  private async currentContent({ projectId, reportId }: FoundLink): Promise<string | null> {
    const { pointer } = await this.pointerOf({ projectId, reportId });
    return pointer?.status === 'ready' ? (pointer.contentRevision ?? null) : null;
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
