import type { ledgerApi } from '@tire/contracts';
import { DomainError, isUuid, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { withLinks, type PublicAddresses } from '../domain/document';
import { contentState } from '../domain/status';
import { findDocuments, findPointers, findSnapshot, type PointerRow } from './reads.store';
import { contentOf } from './report.mapping';
import { ADDRESSES, CLOCK } from '../tokens';

/** Reads are one indexed fetch each: no aggregate is loaded and nothing is parsed or printed. */
@Injectable()
export class ReportQueries {
  constructor(
    private readonly database: Database,
    @Inject(ADDRESSES) private readonly addresses: PublicAddresses,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async reports({ keys }: ledgerApi.GetReportsRequest): Promise<ledgerApi.GetReportsResponse> {
    const now = this.clock.now();
    const rows = await this.byReport(keys, findDocuments);
    const answers = rows.map((row) =>
      row
        ? { reportJson: withLinks(row.document, row, this.addresses, now), errorCode: '' }
        : { reportJson: Buffer.alloc(0), errorCode: 'not_found' },
    );
    return { answers };
  }

  async contentPointers({ keys }: ledgerApi.GetContentPointersRequest): Promise<ledgerApi.GetContentPointersResponse> {
    const rows = await this.byReport(keys, findPointers);
    return { answers: rows.map((row) => (row ? pointerAnswer(row) : { errorCode: 'not_found' })) };
  }

  async analysisRevision(request: ledgerApi.GetAnalysisRevisionRequest): Promise<ledgerApi.GetAnalysisRevisionResponse> {
    const { projectId, analysisRevision, reportId } = request;
    const known = [analysisRevision, reportId].every(isUuid);
    const snapshotJson = known ? await findSnapshot(this.database, projectId, reportId, analysisRevision) : null;
    if (!snapshotJson) throw new DomainError('not_found');
    return { snapshotJson };
  }

  /**
   * One query for each project of a batch: another project's row is hidden by the database itself. What is not an id names
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

function pointerAnswer(row: PointerRow): ledgerApi.ContentPointerAnswer {
  const state = contentState({
    analysisStatus: row.analysisStatus,
    revision: row.revisionId === null ? null : { revisionId: row.revisionId },
    content: contentOf(row),
    legacy: row.legacy,
  });
  if (state.status === 'unavailable') return { errorCode: 'content_unavailable_for_legacy' };
  const pointer = {
    ...state,
    analysisRevision: row.revisionId ?? undefined,
    contentProfile: { key: row.profileKey, version: row.profileVersion, locale: row.profileLocale },
    generator: { rulesetVersion: row.rulesetVersion, copyVersion: row.copyVersion, projectionVersion: row.projectionVersion },
    plateNumber: row.plateNumber ?? undefined,
    templateKey: row.templateKey,
    createdAt: row.createdAt.toISOString(),
  };
  return { pointer, errorCode: '' };
}
