import { Inject, Injectable } from '@nestjs/common';
import { type AnalysisEnded, type ContentGenerated, EVENTS } from '@tire/contracts/events';
import type { contentApi, ledgerApi } from '@tire/contracts/grpc';
import { Outbox } from '@tire/eventing';
import { DomainError, isUuid, newId, type Verdict } from '@tire/kernel';
import { Database, LEDGER, logger, type PromiseClient, PUBLIC_API_URL, type Tx } from '@tire/platform';
import { createHash } from 'node:crypto';
import type { Content } from '@tire/contracts/api';
import { canonicalJson } from '../domain/document/canonical-json';
import { generateContent } from '../domain/document/generate';
import { verdictOf } from '../domain/document/verdict';
import { languagesOf, UnknownVersion } from '../domain/versions/registry';
import {
  countOutcomes,
  discardReport,
  type Document,
  findContent,
  findDocument,
  findOutcome,
  insertOutcome,
  lockUnlessDiscarded,
  type Outcome,
} from './outcome.store';
import { readSnapshot } from './snapshot';

/** Weak, because a proxy may compress the bytes. */
const weakEtag = (sha256: Buffer): string => `W/"${sha256.toString('base64url')}"`;

interface Generated {
  readonly outcome: Outcome;
  readonly document: Document | null;
  readonly verdict: Verdict | null;
}

@Injectable()
export class ContentService {
  private readonly log = logger('content');

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(PUBLIC_API_URL) private readonly publicApiUrl: string,
  ) {}

  /**
   * Generates the content of an analysis revision once and publishes the result for every delivery of the message. For a discarded
   * report it does nothing.
   */
  async analysisEnded(message: AnalysisEnded): Promise<void> {
    const { projectId, reportId, analysisRevision } = message;
    const isDone = await this.database.withProject(projectId, async (tx) => {
      if (!(await lockUnlessDiscarded(tx, reportId))) return true;
      const outcome = await findOutcome(tx, reportId, analysisRevision);
      if (outcome) await this.outbox.add(tx, EVENTS.contentGenerated, contentGenerated(message, outcome, await this.verdict(tx, outcome)));
      return outcome !== undefined;
    });
    if (isDone) return;

    // A photograph of the sandbox may want that content fails. The fact says so at each delivery.
    const generated =
      message.analysisStatus === 'complete' && !message.sandbox?.contentFails ? await this.generate(message) : incomplete(message);
    await this.database.withProject(projectId, async (tx) => {
      if (!(await lockUnlessDiscarded(tx, reportId))) return;
      const stored = await insertOutcome(tx, generated.outcome, generated.document);
      const verdict = stored === generated.outcome ? generated.verdict : await this.verdict(tx, stored);
      await this.outbox.add(tx, EVENTS.contentGenerated, contentGenerated(message, stored, verdict));
    });
  }

  /** From the stored document, so that reports from before verdicts were announced have one too. */
  private async verdict(tx: Tx, { reportId, contentRevision }: Outcome): Promise<Verdict | null> {
    const document = contentRevision === null ? undefined : await findDocument(tx, reportId, contentRevision);
    return document ? verdictOf(JSON.parse(document.toString('utf8')) as Content) : null;
  }

  discard(projectId: string, reportId: string): Promise<void> {
    return this.database.withProject(projectId, (tx) => discardReport(tx, projectId, reportId));
  }

  async count({ projectId, reportIds }: contentApi.CountReportDataRequest): Promise<contentApi.CountReportDataResponse> {
    const count = await this.database.withProject(projectId, (tx) => countOutcomes(tx, reportIds));
    return { counts: [{ what: 'documents', count }] };
  }

  async contentRevision(projectId: string, reportId: string, contentRevision: string): Promise<contentApi.GetContentRevisionResponse> {
    const areIds = [projectId, reportId, contentRevision].every(isUuid);
    const stored = areIds ? await findContent(this.database, projectId, reportId, contentRevision) : undefined;
    if (!stored) throw new DomainError('not_found');
    return { contentJson: stored.contentJson, etag: weakEtag(stored.sha256), locales: languagesOf(stored.generator) };
  }

  private async generate(message: AnalysisEnded): Promise<Generated> {
    const { projectId, reportId, analysisRevision } = message;
    const { snapshotJson } = await this.ledger.getAnalysisRevision({ projectId, reportId, analysisRevision });
    try {
      return this.issue(message, snapshotJson);
    } catch (error) {
      // During a rollout a newer process has the version and generates the content when it receives the message.
      if (error instanceof UnknownVersion) {
        this.log.error({ err: error, report_id: reportId }, 'This release does not have a version of the report; the message is retried');
        throw error;
      }
      // The snapshot does not change, so a retry would fail too.
      this.log.error({ err: error, report_id: reportId }, 'Content generation failed');
      return incomplete(message);
    }
  }

  private issue(message: AnalysisEnded, snapshotJson: Uint8Array): Generated {
    const { reportId } = message;
    // The same id gives the same bytes: they follow from it and from the snapshot.
    const contentRevision = message.contentRevision ?? newId();
    const { content, faults } = generateContent(readSnapshot(snapshotJson), contentRevision, this.publicApiUrl);
    if (faults.length > 0)
      this.log.error({ report_id: reportId, faults }, 'Parts of the analysis are not plausible; the content shows them as unknown');
    const contentJson = canonicalJson(content);
    const sha256 = createHash('sha256').update(contentJson).digest();
    return {
      outcome: outcomeOf(message, { contentRevision, sha256, errorCode: null }),
      document: { contentJson, generator: content.generator },
      verdict: verdictOf(content),
    };
  }
}

type Result = Pick<Outcome, 'contentRevision' | 'sha256' | 'errorCode'>;

const outcomeOf = ({ projectId, reportId, analysisRevision }: AnalysisEnded, result: Result): Outcome => ({
  projectId,
  reportId,
  analysisRevision,
  ...result,
});

const incomplete = (message: AnalysisEnded): Generated => ({
  outcome: outcomeOf(message, { contentRevision: null, sha256: null, errorCode: 'content_source_incomplete' }),
  document: null,
  verdict: null,
});

const contentGenerated = (
  message: AnalysisEnded,
  { contentRevision, sha256, errorCode }: Outcome,
  verdict: Verdict | null,
): ContentGenerated => ({
  projectId: message.projectId,
  reportId: message.reportId,
  analysisRevision: message.analysisRevision,
  analysisStatus: message.analysisStatus,
  contentRevision: contentRevision ?? '',
  etag: sha256 ? weakEtag(sha256) : '',
  errorCode: errorCode ?? '',
  sandbox: message.sandbox,
  verdict: verdict ?? undefined,
});
