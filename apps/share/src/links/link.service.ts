import { Inject, Injectable } from '@nestjs/common';
import { type ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock } from '@tire/kernel';
import { batched, Database, LEDGER, type PromiseClient, setSubject } from '@tire/platform';
import { closedBecause, type ClosedBecause, isToken, linkStatus } from '../domain/link';
import { nullWhenNotFound } from './not-found';
import type { PublicFace } from '../partner/public-face';
import { findLinks, type StoredLink, tokenDigest } from './link.store';

export type LinkState =
  | { readonly status: 'unknown' | 'revoked' | 'expired' | ClosedBecause }
  | {
      readonly status: 'active';
      readonly projectId: string;
      readonly reportId: string;
      readonly contentRevision: string;
      /** A value of it is the known result of a photograph of the sandbox. */
      readonly hasSamples: boolean;
      /** The time of a photograph is over: a notice takes its place. */
      readonly hasEndedImages: boolean;
      readonly partner: PublicFace;
    };

/** A link that is open as far as this service can tell. The ledger decides whether its report is. */
export type ValidLink = Pick<Extract<LinkState, { status: 'active' }>, 'projectId' | 'reportId' | 'contentRevision' | 'partner'>;

/**
 * Decides what a visitor with a token may see now. Each view reads this database and then the ledger. Views that arrive together share one batch.
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
    this.linkOf = batched((digests) => findLinks(database, digests), { call: { callee: 'database' } });
    this.pointerOf = batched(async (keys, options) => (await ledger.getContentPointers({ keys }, options)).answers, {
      call: { callee: 'ledger', rpc: 'GetContentPointers' },
    });
  }

  /** `whenValid` is called while the ledger decides. What it reads must not be shown before that. */
  async open(token: string, whenValid?: (link: ValidLink) => void): Promise<LinkState> {
    if (!isToken(token)) return { status: 'unknown' };
    const link = await this.linkOf(tokenDigest(token));
    if (!link) return { status: await this.ofUnregistered(token) };
    const { projectId, reportId, publicationStatus, partner } = link;
    setSubject({ projectId, reportId });
    if (publicationStatus === 'discarded') return { status: 'discarded' };
    const published = publicationStatus === 'published' ? link.contentRevision : null;
    // The ledger is called only if the link is valid.
    const atBest = linkStatus(link, published, published, this.clock.now());
    if (atBest === 'revoked' || atBest === 'expired') return { status: atBest };
    const asked = this.pointerOf({ projectId, reportId });
    if (published !== null) whenValid?.({ projectId, reportId, contentRevision: published, partner });
    const answer = await asked;
    const current = answer.pointer?.status === 'ready' ? (answer.pointer.contentRevision ?? null) : null;
    const status = linkStatus(link, published, current, this.clock.now());
    const hasSamples = answer.pointer?.hasSamples ?? false;
    const hasEndedImages = answer.pointer?.hasEndedImages ?? false;
    if (status === 'active') return { status, projectId, reportId, contentRevision: published!, hasSamples, hasEndedImages, partner };
    return { status: status === 'closed' ? closedBecause(answer) : status };
  }

  /** The ledger mints a token with its report. This service receives it when the first analysis has ended. */
  private async ofUnregistered(shareToken: string): Promise<'unknown' | ClosedBecause> {
    const report = await this.ledger.findShareToken({ shareToken }).catch(nullWhenNotFound);
    return report === null ? 'unknown' : closedBecause(await this.pointerOf(report));
  }
}
