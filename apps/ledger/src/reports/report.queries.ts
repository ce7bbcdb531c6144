import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, isUuid, type Clock } from '@tire/kernel';
import { Database, logger, type SealingKeys } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { linkIsValid, reportText, snapshotText, type PublicAddresses } from '../domain/document';
import { contentState, summaryStatus, type ContentFacts } from '../domain/status';
import { templateOf } from '../domain/templates';
import {
  findDocuments,
  findPointers,
  findRevision,
  readSlotTexts,
  type CommonRow,
  type DocumentRow,
  type PointerRow,
  type RevisionRow,
} from './reads.store';
import { contentOf, identityOf } from './report.mapping';
import { openToken } from './share-token';
import { ADDRESSES, SEALING_KEYS } from '../tokens';

const log = logger('ledger.reads');

/** A hundred usual reports. Larger answers would delay others; a client repeats the request for the reports that did not fit. */
const ANSWER_BYTES_MAX = 512 * 1024;

/** Each read is one query. Measurements pass through as text: they are neither parsed nor printed. */
@Injectable()
export class ReportQueries {
  constructor(
    private readonly database: Database,
    @Inject(ADDRESSES) private readonly addresses: PublicAddresses,
    @Inject(SEALING_KEYS) private readonly keys: SealingKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async reports({ keys, acceptsPart }: ledgerApi.GetReportsRequest): Promise<ledgerApi.GetReportsResponse> {
    const now = this.clock.now();
    const rows = await this.byReport(keys, findDocuments);
    const answers: ledgerApi.ReportAnswer[] = [];
    let bytes = 0;
    for (const [index, row] of rows.entries()) {
      const answer = row ? this.documentAnswer(keys[index]!.projectId, row, now) : refused('not_found');
      bytes += answer.reportJson.length;
      if (acceptsPart && answers.length > 0 && bytes > ANSWER_BYTES_MAX) break;
      answers.push(answer);
    }
    return { answers };
  }

  /** Other reports of the batch are answered if the token of one cannot be opened. */
  private documentAnswer(projectId: string, row: DocumentRow, now: Date): ledgerApi.ReportAnswer {
    const { reportId, linkToken: sealed } = row;
    try {
      const linkToken = sealed !== null && linkIsValid(row, now) ? openToken(this.keys, { projectId, reportId }, sealed) : null;
      return { reportJson: Buffer.from(documentText(row, linkToken, now, this.addresses)), errorCode: '' };
    } catch (error) {
      log.error({ err: error, report_id: reportId }, 'A report cannot be shown');
      return refused('internal_error');
    }
  }

  async contentPointers({ keys }: ledgerApi.GetContentPointersRequest): Promise<ledgerApi.GetContentPointersResponse> {
    const rows = await this.byReport(keys, findPointers);
    return { answers: rows.map((row) => (row ? pointerAnswer(row) : { errorCode: 'not_found' })) };
  }

  async analysisRevision(request: ledgerApi.GetAnalysisRevisionRequest): Promise<ledgerApi.GetAnalysisRevisionResponse> {
    const { projectId, analysisRevision, reportId } = request;
    const known = [analysisRevision, reportId].every(isUuid);
    const row = known ? await findRevision(this.database, projectId, reportId, analysisRevision) : null;
    if (!row) throw new DomainError('not_found');
    return { snapshotJson: Buffer.from(revisionText(row)) };
  }

  /**
   * One query for each project of a batch, because row-level security hides the rows of other projects. A key that is not a uuid matches
   * nothing. The rows come in the order of the keys.
   */
  private async byReport<Row extends { reportId: string }>(
    keys: readonly ledgerApi.ReportKey[],
    find: (database: Database, projectId: string, reportIds: readonly string[]) => Promise<Row[]>,
  ): Promise<(Row | undefined)[]> {
    const idsOf = new Map<string, string[]>();
    for (const { projectId, reportId } of keys) {
      if (!isUuid(reportId)) continue;
      const ids = idsOf.get(projectId);
      if (ids) ids.push(reportId);
      else idsOf.set(projectId, [reportId]);
    }
    const found = new Map<string, Row>();
    await Promise.all(
      [...idsOf].map(async ([projectId, ids]) => {
        for (const row of await find(this.database, projectId, ids)) found.set(`${projectId} ${row.reportId}`, row);
      }),
    );
    return keys.map(({ projectId, reportId }) => found.get(`${projectId} ${reportId.toLowerCase()}`));
  }
}

const contentFacts = (row: CommonRow): ContentFacts => ({
  analysisStatus: row.analysisStatus,
  revision: row.revisionId === null ? null : { revisionId: row.revisionId },
  content: contentOf(row),
  legacy: row.legacy,
});

const refused = (errorCode: string): ledgerApi.ReportAnswer => ({ reportJson: Buffer.alloc(0), errorCode });

function documentText(row: DocumentRow, linkToken: string | null, now: Date, addresses: PublicAddresses): string {
  const derived = {
    summaryStatus: summaryStatus(contentFacts(row)),
    template: templateOf(row.templateKey, row.templateVersion),
    linkToken,
    now,
  };
  return reportText(row, derived, readSlotTexts(row.slots), addresses);
}

function revisionText(row: RevisionRow): string {
  return snapshotText(
    identityOf(row),
    { revisionId: row.revisionId, status: row.status, completedAt: row.completedAt.toISOString() },
    readSlotTexts(row.slots),
    row.warningsJson,
  );
}

function pointerAnswer(row: PointerRow): ledgerApi.ContentPointerAnswer {
  const facts = contentFacts(row);
  const state = contentState(facts);
  if (state.status === 'unavailable') return { errorCode: 'content_unavailable_for_legacy' };
  const pointer = {
    ...state,
    analysisRevision: row.revisionId ?? undefined,
    contentProfile: { key: row.profileKey, version: row.profileVersion, locale: row.profileLocale },
    generator: { rulesetVersion: row.rulesetVersion, copyVersion: row.copyVersion, projectionVersion: row.projectionVersion },
    plateNumber: row.plateNumber ?? undefined,
    templateKey: row.templateKey,
    createdAt: row.createdAt.toISOString(),
    analysisStatus: facts.analysisStatus,
    hasSamples: row.hasSamples,
    hasEndedImages: row.hasEndedImages,
  };
  return { pointer, errorCode: '' };
}
