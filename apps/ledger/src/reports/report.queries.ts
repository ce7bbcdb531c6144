import type { ledgerApi } from '@tire/contracts';
import { DomainError, isUuid, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { withLinks, type PublicAddresses } from '../domain/document';
import { contentState } from '../domain/status';
import { contentOf, type ContentColumns } from './report.mapping';
import type { ReportRow } from './report.rows';
import { ADDRESSES, CLOCK } from '../tokens';

type DocumentRow = Pick<ReportRow, 'reportId' | 'linkToken' | 'linkExpiresAt'> & { readonly document: string };

type PointerRow = ContentColumns &
  Pick<
    ReportRow,
    | 'reportId'
    | 'legacy'
    | 'analysisStatus'
    | 'revisionId'
    | 'profileKey'
    | 'profileVersion'
    | 'profileLocale'
    | 'rulesetVersion'
    | 'copyVersion'
    | 'projectionVersion'
    | 'plateNumber'
    | 'templateKey'
    | 'createdAt'
  >;

const SERVED = 'report_id = ANY($1) AND discarded_at IS NULL AND purge_at IS NULL';

/** As text: bytes come as hexadecimal digits, twice as long. */
const SELECT_DOCUMENTS = `
  SELECT report_id AS "reportId", convert_from(document, 'UTF8') AS document, link_token AS "linkToken", link_expires_at AS "linkExpiresAt" FROM reports WHERE ${SERVED}`;

const SELECT_POINTERS = `
  SELECT report_id AS "reportId", legacy, analysis_status AS "analysisStatus", revision_id AS "revisionId",
         content_analysis_revision AS "contentAnalysisRevision", content_revision AS "contentRevision",
         content_etag AS "contentEtag", content_error_code AS "contentErrorCode",
         profile_key AS "profileKey", profile_version AS "profileVersion", profile_locale AS "profileLocale",
         ruleset_version AS "rulesetVersion", copy_version AS "copyVersion", projection_version AS "projectionVersion",
         plate_number AS "plateNumber", template_key AS "templateKey", created_at AS "createdAt"
  FROM reports WHERE ${SERVED}`;

const SELECT_SNAPSHOT = `SELECT snapshot FROM analysis_revisions WHERE revision_id = $1 AND report_id = $2`;

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
    const rows = await this.byReport<DocumentRow>(keys, SELECT_DOCUMENTS);
    const answers = rows.map((row) =>
      row
        ? { reportJson: withLinks(row.document, row, this.addresses, now), errorCode: '' }
        : { reportJson: Buffer.alloc(0), errorCode: 'not_found' },
    );
    return { answers };
  }

  async contentPointers({ keys }: ledgerApi.GetContentPointersRequest): Promise<ledgerApi.GetContentPointersResponse> {
    const rows = await this.byReport<PointerRow>(keys, SELECT_POINTERS);
    return { answers: rows.map((row) => (row ? pointerAnswer(row) : { errorCode: 'not_found' })) };
  }

  async analysisRevision(request: ledgerApi.GetAnalysisRevisionRequest): Promise<ledgerApi.GetAnalysisRevisionResponse> {
    const { projectId, analysisRevision, reportId } = request;
    const known = [analysisRevision, reportId].every(isUuid);
    const [row] = known
      ? await this.database.projectQuery<{ snapshot: Buffer }>(projectId, SELECT_SNAPSHOT, [analysisRevision, reportId])
      : [];
    if (!row) throw new DomainError('not_found');
    return { snapshotJson: row.snapshot };
  }

  /**
   * One query for each project of a batch: another project's row is hidden by the database itself. What is not an id names
   * nothing. The rows come in the order of the keys.
   */
  private async byReport<Row extends { reportId: string }>(
    keys: readonly ledgerApi.ReportKey[],
    sql: string,
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
        for (const row of await this.database.projectQuery<Row>(projectId, sql, [ids])) found.set(`${projectId} ${row.reportId}`, row);
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
