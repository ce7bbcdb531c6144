import type { ledgerApi } from '@tire/contracts';
import { DomainError, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { withLinks, type PublicAddresses } from './domain/document';
import { contentState, type ContentState } from './domain/status';
import { contentOf, type ContentColumns } from './report.mapping';
import type { ReportRow } from './report.rows';
import { ADDRESSES } from './tokens';

type DocumentRow = Pick<ReportRow, 'document' | 'shareToken' | 'linkActive'>;

type PointerRow = ContentColumns &
  Pick<
    ReportRow,
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

const SELECT_DOCUMENT = `SELECT document, share_token AS "shareToken", link_active AS "linkActive" FROM reports WHERE report_id = $1`;

const SELECT_POINTER = `
  SELECT analysis_status AS "analysisStatus", revision_id AS "revisionId",
         content_analysis_revision AS "contentAnalysisRevision", content_revision AS "contentRevision",
         content_etag AS "contentEtag", content_error_code AS "contentErrorCode",
         profile_key AS "profileKey", profile_version AS "profileVersion", profile_locale AS "profileLocale",
         ruleset_version AS "rulesetVersion", copy_version AS "copyVersion", projection_version AS "projectionVersion",
         plate_number AS "plateNumber", template_key AS "templateKey", created_at AS "createdAt"
  FROM reports WHERE report_id = $1`;

const SELECT_SNAPSHOT = `SELECT snapshot FROM analysis_revisions WHERE revision_id = $1 AND report_id = $2`;

/** Reads are one indexed fetch each: no aggregate is loaded and nothing is parsed or printed. */
@Injectable()
export class ReportQueries {
  constructor(
    private readonly database: Database,
    @Inject(ADDRESSES) private readonly addresses: PublicAddresses,
  ) {}

  async report({ projectId, reportId }: ledgerApi.GetReportRequest): Promise<ledgerApi.GetReportResponse> {
    const { document, ...facts } = await this.one<DocumentRow>(projectId, SELECT_DOCUMENT, [reportId]);
    return { reportJson: withLinks(document, { reportId, ...facts }, this.addresses) };
  }

  async contentPointer({ projectId, reportId }: ledgerApi.GetContentPointerRequest): Promise<ledgerApi.GetContentPointerResponse> {
    const row = await this.one<PointerRow>(projectId, SELECT_POINTER, [reportId]);
    return {
      ...contentStateOfRow(row),
      analysisRevision: row.revisionId ?? undefined,
      contentProfile: { key: row.profileKey, version: row.profileVersion, locale: row.profileLocale },
      generator: { rulesetVersion: row.rulesetVersion, copyVersion: row.copyVersion, projectionVersion: row.projectionVersion },
      plateNumber: row.plateNumber ?? undefined,
      templateKey: row.templateKey,
      createdAt: row.createdAt.toISOString(),
    };
  }

  async analysisRevision(request: ledgerApi.GetAnalysisRevisionRequest): Promise<ledgerApi.GetAnalysisRevisionResponse> {
    const { projectId, analysisRevision, reportId } = request;
    const { snapshot } = await this.one<{ snapshot: Buffer }>(projectId, SELECT_SNAPSHOT, [analysisRevision, reportId]);
    return { snapshotJson: snapshot };
  }

  async publicationState(request: ledgerApi.GetPublicationStateRequest): Promise<ledgerApi.GetPublicationStateResponse> {
    const row = await this.one<PointerRow>(request.projectId, SELECT_POINTER, [request.reportId]);
    const content = contentStateOfRow(row);
    return {
      analysisStatus: row.analysisStatus,
      analysisRevision: row.revisionId ?? undefined,
      contentRevision: content.status === 'ready' ? content.contentRevision : undefined,
    };
  }

  /** What is not an id names nothing; another project's row is hidden by the database itself. */
  private async one<Row>(projectId: string, sql: string, ids: string[]): Promise<Row> {
    const [row] = ids.every(isUuid) ? await this.database.projectQuery<Row>(projectId, sql, ids) : [];
    if (!row) throw new DomainError('not_found');
    return row;
  }
}

const contentStateOfRow = (row: PointerRow): ContentState =>
  contentState({
    analysisStatus: row.analysisStatus,
    revision: row.revisionId === null ? null : { revisionId: row.revisionId },
    content: contentOf(row),
  });
