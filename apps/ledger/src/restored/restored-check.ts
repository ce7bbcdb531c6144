import type { assetsApi, contentApi, shareApi } from '@tire/contracts/grpc';
import { DomainError } from '@tire/kernel';
import type { Database, PromiseClient, SealingKeys } from '@tire/platform';
import { decide, type ReportCommand } from '../domain/decide';
import { isRefusal } from '../domain/refusal';
import { isHeld } from '../domain/removal';
import { evolve, type Report, type ReportState } from '../domain/report';
import { type Difference, differencesOf, type Held } from '../domain/restored';
import type { AnalysisStatus } from '../domain/status';
import { isPublicationStatus } from '../domain/status';
import { findReportRow, lockReport, saveReport } from '../reports/report.store';
import { openToken, sealedToken } from '../reports/share-token';
import { type Candidate, findCandidates } from './restored.store';

const REPORTS_AT_ONCE = 500;
/** Each waits for two services; eight left both idle most of the time. */
const CALLS_AT_ONCE = 32;
const DEADLINE = { deadlineMs: 20_000 };
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
/** Repaired reports are overdue at once, so the reconciler requests what they lack at its next turn. */
const LONG_OVERDUE = new Date(0);
/** The counts are complete; the list ends here. */
const NAMED_MAX = 1_000;

export interface Holders {
  readonly content: PromiseClient<contentApi.ContentServiceClient>;
  readonly share: PromiseClient<shareApi.ShareServiceClient>;
  readonly assets: PromiseClient<assetsApi.AssetServiceClient>;
  /** Whether the page of a token opens. */
  readonly opens: (token: string) => Promise<boolean>;
}

export interface CheckOptions {
  /** Only reports that changed since. Null: all. */
  readonly since: Date | null;
  readonly repair: boolean;
  readonly pages: boolean;
}

export interface CheckResult {
  reports: number;
  discarded: number;
  /** Pages of published reports that were requested. */
  pages: number;
  /** Reports by difference. */
  differences: Partial<Record<Difference, number>>;
  /** Reports that were repaired, or whose repair the reconciler completes. */
  repaired: number;
  /** Reports that changed meanwhile, so that their repair was refused: the next check compares them again. */
  refused: number;
  named: { report_id: string; project_id: string; differences: Difference[] }[];
}

type Read = { readonly candidate: Candidate; readonly state: ReportState; readonly analysisStatus: AnalysisStatus };

const nullIfAbsent = (error: unknown): null => {
  if (error instanceof DomainError && error.code === 'not_found') return null;
  throw error;
};

/**
 * Compares the reports with what content and share have of them, after a restore. A repair makes the ledger believe what they have; the
 * reconciler then requests what is missing. What partners ended stays ended: links and reports are ended again.
 */
export class RestoredCheck {
  readonly result: CheckResult = { reports: 0, discarded: 0, pages: 0, differences: {}, repaired: 0, refused: 0, named: [] };

  constructor(
    private readonly database: Database,
    private readonly keys: SealingKeys,
    private readonly holders: Holders,
    private readonly options: CheckOptions,
    private readonly now: Date,
  ) {}

  async run(): Promise<CheckResult> {
    for (let after = BEFORE_ALL_IDS; ;) {
      const page = await this.read(after);
      const last = page.at(-1);
      if (!last) return this.result;
      after = last.candidate.reportId;
      const waiting = [...page];
      const one = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await this.check(next);
      };
      await Promise.all(Array.from({ length: CALLS_AT_ONCE }, one));
    }
  }

  /** In one transaction: one for each report takes most of the time of a check. */
  private read(after: string): Promise<Read[]> {
    return this.database.asSystem(async (tx) => {
      const reads: Read[] = [];
      for (const candidate of await findCandidates(tx, after, this.options.since, REPORTS_AT_ONCE))
        reads.push({ candidate, ...(await findReportRow(tx, candidate.reportId)) });
      return reads;
    });
  }

  private async check(read: Read): Promise<void> {
    const { state, candidate, analysisStatus } = read;
    if (state.lifecycle === 'open') return this.checkOpen(candidate, state.report, analysisStatus);
    if (state.lifecycle === 'discarded') return this.checkDiscarded(read);
  }

  private async checkOpen(candidate: Candidate, report: Report, status: AnalysisStatus): Promise<void> {
    this.result.reports += 1;
    const held = await this.heldOf(candidate, report);
    const differences = differencesOf(report, status === 'processing' || status === 'awaiting_images', held);
    const isRepaired = this.options.repair && differences.length > 0 && (await this.repair(candidate, report, held, differences));
    if (this.options.pages && held.publication !== 'discarded' && !(await this.pageOpens(report))) differences.push('page_closed');
    this.note(candidate, differences, isRepaired);
  }

  private async heldOf({ projectId, reportId }: Candidate, { content }: Report): Promise<Held> {
    const named = content?.outcome.kind === 'ready' ? content.outcome.contentRevision : null;
    const [stored, publication] = await Promise.all([
      named && this.holders.content.getContentRevision({ projectId, reportId, contentRevision: named }, DEADLINE).catch(nullIfAbsent),
      this.publicationOf({ projectId, reportId }),
    ]);
    return { etag: stored ? stored.etag : null, publication };
  }

  private async publicationOf({ projectId, reportId }: Candidate): Promise<Held['publication']> {
    const found = await this.holders.share.getPublication({ projectId, reportId }, DEADLINE).catch(nullIfAbsent);
    if (!found) return null;
    if (found.publicationStatus === 'discarded') return 'discarded';
    const { version, publicationStatus: status, publishedAt, analysisRevision, shareToken, linkExpiresAt, captureFinishedAt } = found;
    if (!isPublicationStatus(status)) throw new Error(`No publication status: ${status}`);
    const token = shareToken === undefined ? null : sealedToken(this.keys, { projectId, reportId }, shareToken);
    return {
      ...{ version, status },
      publishedAt: publishedAt ?? null,
      analysisRevision: analysisRevision ?? null,
      captureFinishedAt: captureFinishedAt ?? null,
      link: token && { token, expiresAt: linkExpiresAt ?? null },
    };
  }

  /** The links first: a page whose link was ended must not open for longer than it takes to get here. False where it was refused. */
  private async repair(candidate: Candidate, report: Report, { publication }: Held, differences: readonly Difference[]): Promise<boolean> {
    const { projectId, reportId } = candidate;
    const { link } = report.publication;
    let held = publication;
    if (publication === 'discarded') return this.change(candidate, { type: 'discard' });
    if (differences.includes('revocation_lost')) await this.holders.share.revokeShare({ projectId, reportId }, DEADLINE);
    if (differences.includes('link_lost') && link) {
      const shareToken = openToken(this.keys, candidate, link.token.sealed);
      await this.holders.share.reissueShare({ projectId, reportId, shareToken }, DEADLINE);
    }
    if (differences.includes('revocation_lost') || differences.includes('link_lost')) held = await this.publicationOf(candidate);
    // Share that does not know the report registers it with the link of its creation.
    const nothing = { version: 0, status: 'unpublished' as const, publishedAt: null, analysisRevision: null, captureFinishedAt: null };
    const asHeld = (held !== 'discarded' && held) || { ...nothing, link: { token: report.identity.shareToken, expiresAt: null } };
    const believed = differences.some((difference) => difference.startsWith('publication_')) ? asHeld : null;
    return this.change(candidate, { type: 'recordRestored', contentLost: differences.includes('content_lost'), publication: believed });
  }

  private change({ projectId, reportId }: Candidate, command: ReportCommand): Promise<boolean> {
    return this.database.withProject(projectId, async (tx) => {
      const before = await lockReport(tx, reportId);
      const events = decide(before, command, this.now);
      if (isRefusal(events)) {
        this.result.refused += 1;
        return false;
      }
      if (events.length > 0) await saveReport(tx, [{ before, events, after: events.reduce(evolve, before) }], LONG_OVERDUE);
      return true;
    });
  }

  private async pageOpens({ identity, publication: { status, link } }: Report): Promise<boolean> {
    const isShown = status === 'published' && link !== null && (link.expiresAt === null || Date.parse(link.expiresAt) > this.now.getTime());
    if (!isShown) return true;
    this.result.pages += 1;
    return this.holders.opens(openToken(this.keys, identity, link.token.sealed));
  }

  /**
   * A service that was restored to a time before the removal has the data of the report. Each service keeps that of a report under legal hold,
   * whose removal follows its release.
   */
  private async checkDiscarded({ candidate, state }: Read): Promise<void> {
    this.result.discarded += 1;
    if (state.lifecycle === 'discarded' && isHeld(state.report)) return;
    const { projectId, reportId } = candidate;
    const held = await this.publicationOf(candidate);
    const isKnown = held !== null && held !== 'discarded';
    if (this.options.repair && state.lifecycle !== 'absent') {
      const { shareToken, createdAt } = state.report.identity;
      await Promise.all([
        this.holders.share.discardReport({ projectId, reportId, shareTokenDigest: shareToken.digest, createdAt }, DEADLINE),
        this.holders.content.discardReport({ projectId, reportId }, DEADLINE),
        this.holders.assets.discardReport({ projectId, reportId }, DEADLINE),
      ]);
    }
    this.note(candidate, isKnown ? ['removal_lost'] : [], this.options.repair && isKnown);
  }

  private note({ reportId, projectId }: Candidate, differences: Difference[], isRepaired: boolean): void {
    if (differences.length === 0) return;
    if (isRepaired) this.result.repaired += 1;
    for (const difference of differences) this.result.differences[difference] = (this.result.differences[difference] ?? 0) + 1;
    if (this.result.named.length < NAMED_MAX) this.result.named.push({ report_id: reportId, project_id: projectId, differences });
  }
}
