import type { Database } from '@tire/platform';
import type { ContentColumns } from './report.mapping';
import type { LoadedReport } from './report.rows';

export type DocumentRow = Pick<LoadedReport, 'reportId' | 'linkToken' | 'linkExpiresAt'> & { readonly document: string };

export type PointerRow = ContentColumns &
  Pick<
    LoadedReport,
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

const SELECT_BY_TOKEN = `
  SELECT project_id AS "projectId", report_id AS "reportId" FROM reports
  WHERE share_token = $1 AND discarded_at IS NULL AND purge_at IS NULL`;

export const findDocuments = (database: Database, projectId: string, reportIds: readonly string[]): Promise<DocumentRow[]> =>
  database.projectQuery<DocumentRow>(projectId, SELECT_DOCUMENTS, [reportIds]);

export const findPointers = (database: Database, projectId: string, reportIds: readonly string[]): Promise<PointerRow[]> =>
  database.projectQuery<PointerRow>(projectId, SELECT_POINTERS, [reportIds]);

export async function findSnapshot(database: Database, projectId: string, reportId: string, revisionId: string): Promise<Buffer | null> {
  const [row] = await database.projectQuery<{ snapshot: Buffer }>(projectId, SELECT_SNAPSHOT, [revisionId, reportId]);
  return row?.snapshot ?? null;
}

/** Across projects: the token is all that a visitor has. */
export async function findByShareToken(
  database: Database,
  shareToken: string,
): Promise<{ readonly projectId: string; readonly reportId: string } | null> {
  const [found] = await database.systemQuery<{ projectId: string; reportId: string }>(SELECT_BY_TOKEN, [shareToken]);
  return found ?? null;
}
