import type { Database } from '@tire/platform';
import type { SlotTexts } from '../domain/document';
import type { EndedStatus } from '../domain/report';
import type { ContentColumns } from './report.mapping';
import { aliased, FIXED, type FixedColumns, type LoadedReport } from './report.rows';

/** What of a report the public document shows. */
export type DocumentRow = ContentColumns &
  Pick<
    LoadedReport,
    | 'reportId'
    | 'analysisStatus'
    | 'publicationStatus'
    | 'plateNumber'
    | 'externalInspectionId'
    | 'externalVehicleId'
    | 'metadataJson'
    | 'sourceChannel'
    | 'creationMode'
    | 'templateKey'
    | 'templateVersion'
    | 'revisionId'
    | 'revisionCompletedAt'
    | 'publishedAt'
    | 'linkToken'
    | 'linkExpiresAt'
    | 'legacy'
    | 'createdAt'
    | 'updatedAt'
  > & { readonly slots: string | null };

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

/** JSON text holds neither of them: control characters are escaped in it. */
const [BETWEEN_FIELDS, BETWEEN_SLOTS] = ['\u001f', '\u001e'];

/**
 * The slots that are not empty, as one text: a row for each would repeat the columns of the report, and an array would be parsed by the
 * driver character by character.
 */
const slotTexts = (table: 'slots' | 'analysis_revision_slots', condition: string): string => `
  (SELECT string_agg(concat(slot_id, E'\\x1f', error_code, E'\\x1f', CASE WHEN asset_id IS NOT NULL THEN json_build_object(
            'asset_id', asset_id,
            'source', json_build_object('kind', source_kind, 'url', source_url, 'client_asset_id', client_asset_id)) END,
            E'\\x1f', body), E'\\x1e')
     FROM ${table} LEFT JOIN analyses USING (report_id, analysis_id) WHERE ${condition})`;

export function readSlotTexts(slots: string | null): ReadonlyMap<string, SlotTexts> {
  const texts = new Map<string, SlotTexts>();
  for (const slot of slots?.split(BETWEEN_SLOTS) ?? []) {
    const [slotId = '', errorCode, asset, analysis] = slot.split(BETWEEN_FIELDS);
    const ended = errorCode ? 'failed' : 'success';
    texts.set(slotId, { status: analysis ? ended : 'pending', asset: asset || 'null', analysis: analysis || null });
  }
  return texts;
}

const SELECT_DOCUMENTS = `
  SELECT report_id AS "reportId", analysis_status AS "analysisStatus", publication_status AS "publicationStatus",
         plate_number AS "plateNumber", external_inspection_id AS "externalInspectionId", external_vehicle_id AS "externalVehicleId",
         metadata_json AS "metadataJson", source_channel AS "sourceChannel", creation_mode AS "creationMode",
         template_key AS "templateKey", template_version AS "templateVersion", revision_id AS "revisionId",
         revision_completed_at AS "revisionCompletedAt", published_at AS "publishedAt", link_token AS "linkToken",
         link_expires_at AS "linkExpiresAt", legacy, created_at AS "createdAt", updated_at AS "updatedAt",
         content_analysis_revision AS "contentAnalysisRevision", content_revision AS "contentRevision",
         content_etag AS "contentEtag", content_error_code AS "contentErrorCode",
         ${slotTexts('slots', 'slots.report_id = reports.report_id')} AS slots
  FROM reports WHERE ${SERVED}`;

const SELECT_POINTERS = `
  SELECT report_id AS "reportId", legacy, analysis_status AS "analysisStatus", revision_id AS "revisionId",
         content_analysis_revision AS "contentAnalysisRevision", content_revision AS "contentRevision",
         content_etag AS "contentEtag", content_error_code AS "contentErrorCode",
         profile_key AS "profileKey", profile_version AS "profileVersion", profile_locale AS "profileLocale",
         ruleset_version AS "rulesetVersion", copy_version AS "copyVersion", projection_version AS "projectionVersion",
         plate_number AS "plateNumber", template_key AS "templateKey", created_at AS "createdAt"
  FROM reports WHERE ${SERVED}`;

export interface RevisionRow extends FixedColumns {
  readonly revisionId: string;
  readonly status: EndedStatus;
  readonly completedAt: Date;
  readonly slots: string | null;
}

const SELECT_REVISION = `
  SELECT ${aliased(FIXED)}, revision.*,
         ${slotTexts('analysis_revision_slots', 'analysis_revision_slots.revision_id = revision."revisionId"')} AS slots
    FROM reports JOIN (
      SELECT report_id, revision_id AS "revisionId", status, completed_at AS "completedAt"
        FROM analysis_revisions WHERE revision_id = $1 AND report_id = $2
    ) revision USING (report_id)`;

const SELECT_BY_TOKEN = `
  SELECT project_id AS "projectId", report_id AS "reportId" FROM reports
  WHERE share_token = $1 AND discarded_at IS NULL AND purge_at IS NULL`;

export const findDocuments = (database: Database, projectId: string, reportIds: readonly string[]): Promise<DocumentRow[]> =>
  database.projectQuery<DocumentRow>(projectId, SELECT_DOCUMENTS, [reportIds]);

export const findPointers = (database: Database, projectId: string, reportIds: readonly string[]): Promise<PointerRow[]> =>
  database.projectQuery<PointerRow>(projectId, SELECT_POINTERS, [reportIds]);

export async function findRevision(
  database: Database,
  projectId: string,
  reportId: string,
  revisionId: string,
): Promise<RevisionRow | null> {
  const [row] = await database.projectQuery<RevisionRow>(projectId, SELECT_REVISION, [revisionId, reportId]);
  return row ?? null;
}

const SELECT_RESULTS = `
  SELECT slot_id AS "slotId", (body->'result')::text AS result
    FROM slots JOIN analyses USING (report_id, slot_id, analysis_id) WHERE report_id = $1`;

/** Each result as the text that was stored, by slot. */
export async function findResults(database: Database, projectId: string, reportId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await database.projectQuery<{ slotId: string; result: string }>(projectId, SELECT_RESULTS, [reportId]);
  return new Map(rows.map(({ slotId, result }) => [slotId, result]));
}

/** Across projects: the token is all that a visitor has. */
export async function findByShareToken(
  database: Database,
  shareToken: string,
): Promise<{ readonly projectId: string; readonly reportId: string } | null> {
  const [found] = await database.systemQuery<{ projectId: string; reportId: string }>(SELECT_BY_TOKEN, [shareToken]);
  return found ?? null;
}
