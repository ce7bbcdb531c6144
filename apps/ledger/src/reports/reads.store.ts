import type { Database } from '@tire/platform';
import type { SlotTexts } from '../domain/document';
import type { EndedStatus } from '../domain/report';
import { SANDBOX_MODEL } from '../domain/sandbox';
import type { GuessingAnalysis } from '../domain/size-guess';
import { aliased, CHANGING, FIXED, type FixedColumns, type LoadedReport } from './report.rows';

/** The columns that decide which content is current, and those that every read shows. */
const COMMON = [
  'reportId',
  'legacy',
  'analysisStatus',
  'revisionId',
  'contentAnalysisRevision',
  'contentRevision',
  'contentEtag',
  'contentErrorCode',
  'contentVerdict',
  'contentVerdictOf',
  'plateNumber',
  'templateKey',
  'createdAt',
] as const;

const POINTER = [
  ...COMMON,
  'profileKey',
  'profileVersion',
  'profileLocale',
  'rulesetVersion',
  'copyVersion',
  'projectionVersion',
  'hasEndedImages',
] as const;

const DOCUMENT = [
  ...COMMON,
  'publicationStatus',
  'externalInspectionId',
  'externalVehicleId',
  'vin',
  'mileageKm',
  'branchId',
  'metadataJson',
  'sourceChannel',
  'creationMode',
  'templateVersion',
  'revisionCompletedAt',
  'publishedAt',
  'linkToken',
  'linkExpiresAt',
  'warningsJson',
  'captureJson',
  'updatedAt',
] as const;

export type CommonRow = Pick<LoadedReport, (typeof COMMON)[number]>;
export type PointerRow = Pick<LoadedReport, (typeof POINTER)[number]> & { readonly hasSamples: boolean };
export type DocumentRow = Pick<LoadedReport, (typeof DOCUMENT)[number]> & { readonly slots: string | null };

const REPORT = { ...FIXED, ...CHANGING };
const selected = (keys: readonly (keyof typeof REPORT)[]): string => keys.map((key) => `${REPORT[key]} AS "${key}"`).join(', ');

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
     FROM ${table} LEFT JOIN analyses USING (report_id, slot_id, analysis_id) WHERE ${condition})`;

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
  SELECT ${selected(DOCUMENT)}, ${slotTexts('slots', 'slots.report_id = reports.report_id')} AS slots FROM reports WHERE ${SERVED}`;

const SELECT_POINTERS = `
  SELECT ${selected(POINTER)}, project_mode = 'test' AND EXISTS (
           SELECT FROM slots JOIN analyses USING (report_id, slot_id, analysis_id)
            WHERE slots.report_id = reports.report_id AND starts_with(analyses.model, '${SANDBOX_MODEL}')) AS "hasSamples"
    FROM reports WHERE ${SERVED}`;

export interface RevisionRow extends FixedColumns {
  readonly revisionId: string;
  readonly status: EndedStatus;
  readonly completedAt: Date;
  readonly warningsJson: string;
  readonly slots: string | null;
}

const SELECT_REVISION = `
  SELECT ${aliased(FIXED)}, revision.*,
         ${slotTexts('analysis_revision_slots', 'analysis_revision_slots.revision_id = revision."revisionId"')} AS slots
    FROM reports JOIN (
      SELECT report_id, revision_id AS "revisionId", status, completed_at AS "completedAt", warnings_json AS "warningsJson"
        FROM analysis_revisions WHERE revision_id = $1 AND report_id = $2
    ) revision USING (report_id)`;

const SELECT_BY_TOKEN = `
  SELECT project_id AS "projectId", report_id AS "reportId" FROM reports
  WHERE share_token_digest = $1 AND discarded_at IS NULL AND purge_at IS NULL`;

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

const SELECT_GUESSES = `
  SELECT slot_id AS "slotId", analysis_id AS "analysisId", guess FROM analyses WHERE report_id = $1 AND guess IS NOT NULL`;

/** The only read of guesses. */
export const findGuesses = (database: Database, projectId: string, reportId: string): Promise<GuessingAnalysis[]> =>
  database.projectQuery<GuessingAnalysis>(projectId, SELECT_GUESSES, [reportId]);

/** Across projects: the token is all that a visitor has. */
export async function findByShareToken(
  database: Database,
  tokenDigest: Buffer,
): Promise<{ readonly projectId: string; readonly reportId: string } | null> {
  const [found] = await database.systemQuery<{ projectId: string; reportId: string }>(SELECT_BY_TOKEN, [tokenDigest]);
  return found ?? null;
}
