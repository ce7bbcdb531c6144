import { Inject, Injectable } from '@nestjs/common';
import { type AnalysisEnded, type ContentGenerated, EVENTS, type ledgerApi } from '@tire/contracts';
import { Outbox } from '@tire/eventing';
import { DomainError, isUuid, newId } from '@tire/kernel';
import { logger, type PromiseClient } from '@tire/platform';
import { createHash } from 'node:crypto';
import { ContentOutcome, ContentStore } from './content.store';
import { canonicalJson } from './domain/canonical-json';
import { generateContent } from './domain/generate';
import { NeverIssued } from './domain/registry';
import { readSnapshot } from './snapshot';

export const LEDGER = Symbol('ledger');
export const PUBLIC_API_URL = Symbol('public api url');

/** From the digest of the bytes, weak because a proxy may compress them. */
export const weakEtag = (sha256: Buffer): string => `W/"${sha256.toString('base64url')}"`;

@Injectable()
export class ContentService {
  private readonly log = logger('content');

  constructor(
    private readonly store: ContentStore,
    private readonly outbox: Outbox,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(PUBLIC_API_URL) private readonly publicApiUrl: string,
  ) {}

  /** Makes the content of an analysis revision once, and says so each time it is asked; of a discarded report it makes and says nothing. */
  async analysisEnded(message: AnalysisEnded): Promise<void> {
    const { projectId, reportId, analysisRevision } = message;
    const existing = await this.store.unlessDiscarded(projectId, reportId, async (tx) => {
      const outcome = await this.store.findOutcome(tx, reportId, analysisRevision);
      if (outcome) await this.outbox.add(tx, EVENTS.contentGenerated, contentGenerated(message, outcome));
      return outcome;
    });
    if (existing === 'discarded' || existing) return;

    const made = message.analysisStatus === 'complete' ? await this.generate(message) : incomplete(message);
    await this.store.unlessDiscarded(projectId, reportId, async (tx) => {
      const kept = await this.store.keep(tx, made);
      await this.outbox.add(tx, EVENTS.contentGenerated, contentGenerated(message, kept));
    });
  }

  discard(projectId: string, reportId: string): Promise<void> {
    return this.store.discard(projectId, reportId);
  }

  async contentRevision(projectId: string, reportId: string, contentRevision: string): Promise<{ contentJson: Buffer; etag: string }> {
    const known = [projectId, reportId, contentRevision].every(isUuid);
    const stored = known ? await this.store.findContent(projectId, reportId, contentRevision) : undefined;
    if (!stored) throw new DomainError('not_found');
    return { contentJson: stored.contentJson, etag: weakEtag(stored.sha256) };
  }

  private async generate(message: AnalysisEnded): Promise<ContentOutcome> {
    const { projectId, reportId, analysisRevision } = message;
    const { snapshotJson } = await this.ledger.getAnalysisRevision({ projectId, reportId, analysisRevision });
    try {
      return this.issue(message, snapshotJson);
    } catch (error) {
      // A version that another process of a roll-out knows: it is made as soon as one of those has the message.
      if (error instanceof NeverIssued) {
        this.log.error({ err: error, report_id: reportId }, 'Content of a version that this process does not know, trying again');
        throw error;
      }
      // The snapshot never changes, so another try would end the same.
      this.log.error({ err: error, report_id: reportId }, 'No content can be made of this analysis; it is said to have failed');
      return incomplete(message);
    }
  }

  private issue(message: AnalysisEnded, snapshotJson: Uint8Array): ContentOutcome {
    const { reportId } = message;
    const contentRevision = newId();
    const { content, faults } = generateContent(readSnapshot(snapshotJson), contentRevision, this.publicApiUrl);
    if (faults.length > 0)
      this.log.error({ report_id: reportId, faults }, 'Parts of the analysis cannot be believed; the content shows them as unknown');
    const contentJson = canonicalJson(content);
    return outcome(message, { contentRevision, contentJson, sha256: createHash('sha256').update(contentJson).digest(), errorCode: null });
  }
}

type Result = Pick<ContentOutcome, 'contentRevision' | 'contentJson' | 'sha256' | 'errorCode'>;

const outcome = ({ projectId, reportId, analysisRevision }: AnalysisEnded, result: Result): ContentOutcome =>
  Object.assign(new ContentOutcome(), { projectId, reportId, analysisRevision, ...result });

const incomplete = (message: AnalysisEnded): ContentOutcome =>
  outcome(message, { contentRevision: null, contentJson: null, sha256: null, errorCode: 'content_source_incomplete' });

const contentGenerated = (message: AnalysisEnded, { contentRevision, sha256, errorCode }: ContentOutcome): ContentGenerated => ({
  projectId: message.projectId,
  reportId: message.reportId,
  analysisRevision: message.analysisRevision,
  analysisStatus: message.analysisStatus,
  contentRevision: contentRevision ?? '',
  etag: sha256 ? weakEtag(sha256) : '',
  errorCode: errorCode ?? '',
});
