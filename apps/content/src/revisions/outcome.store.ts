import type { Database, Tx } from '@tire/platform';
import type { Versions } from '../domain/versions/registry';

/** The result for one analysis revision: a document, or the reason why there is none. A row is written once and never changes. */
export interface Outcome {
  readonly projectId: string;
  readonly reportId: string;
  readonly analysisRevision: string;
  readonly contentRevision: string | null;
  readonly sha256: Buffer | null;
  readonly errorCode: string | null;
}

/** The bytes of a document, and the versions that made it. */
export interface Document {
  readonly contentJson: Buffer;
  readonly generator: Versions;
}

export interface StoredContent extends Document {
  readonly sha256: Buffer;
}

export interface IssuedContent {
  readonly projectId: string;
  readonly contentRevision: string;
  readonly analysisRevision: string;
  readonly sha256: Buffer;
  readonly generator: Versions;
}

/** The lock of a report: shared while an outcome is written, exclusive while the report is discarded. Reports with one number share it. */
const LOCK_KEY = 'hashtextextended($1::uuid::text, 1)';

/** Takes the shared lock of the report. False where the report is discarded: then nothing may be written for it. */
export async function lockUnlessDiscarded(tx: Tx, reportId: string): Promise<boolean> {
  // One round trip, and two statements: the second one sees what was committed before the lock came.
  const [, tombstones] = await Promise.all([
    tx.execute(`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`, [reportId]),
    tx.rows('SELECT 1 FROM discarded_reports WHERE report_id = $1', [reportId]),
  ]);
  return tombstones.length === 0;
}

/** Waits for outcomes that are being written. The tombstone comes first: the database refuses to delete outcomes without it. */
export async function discardReport(tx: Tx, projectId: string, reportId: string): Promise<void> {
  await tx.execute(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [reportId]);
  await tx.execute('INSERT INTO discarded_reports (project_id, report_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [projectId, reportId]);
  await tx.execute('DELETE FROM content_outcomes WHERE report_id = $1', [reportId]);
}

export async function countOutcomes(tx: Tx, reportIds: readonly string[]): Promise<number> {
  const [row] = await tx.rows<{ count: number }>('SELECT count(*)::int AS count FROM content_outcomes WHERE report_id = ANY($1)', [
    reportIds,
  ]);
  return row!.count;
}

export async function findOutcome(tx: Tx, reportId: string, analysisRevision: string): Promise<Outcome | undefined> {
  const [outcome] = await tx.rows<Outcome>(
    `SELECT project_id AS "projectId", report_id AS "reportId", analysis_revision AS "analysisRevision",
            content_revision AS "contentRevision", sha256, error_code AS "errorCode"
       FROM content_outcomes WHERE report_id = $1 AND analysis_revision = $2`,
    [reportId, analysisRevision],
  );
  return outcome;
}

/** Inserts the outcome unless there is one, and returns the one that is stored. Of two at once, the second waits for the first. */
export async function insertOutcome(tx: Tx, outcome: Outcome, document: Document | null): Promise<Outcome> {
  const { projectId, reportId, analysisRevision, contentRevision, sha256, errorCode } = outcome;
  const inserted = await tx.execute(
    `INSERT INTO content_outcomes (project_id, report_id, analysis_revision, content_revision, content_json, sha256, error_code, generator)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [projectId, reportId, analysisRevision, contentRevision, document?.contentJson ?? null, sha256, errorCode, document?.generator ?? null],
  );
  if (inserted > 0) return outcome;
  const stored = await findOutcome(tx, reportId, analysisRevision);
  if (!stored) throw new Error('An outcome that exists cannot be read');
  return stored;
}

export async function findDocument(tx: Tx, reportId: string, contentRevision: string): Promise<Buffer | undefined> {
  const [row] = await tx.rows<{ contentJson: Buffer }>(
    `SELECT content_json AS "contentJson" FROM content_outcomes WHERE content_revision = $1 AND report_id = $2`,
    [contentRevision, reportId],
  );
  return row?.contentJson;
}

export async function findContent(
  database: Database,
  projectId: string,
  reportId: string,
  contentRevision: string,
): Promise<StoredContent | undefined> {
  const [content] = await database.projectQuery<StoredContent>(
    projectId,
    `SELECT content_json AS "contentJson", sha256, generator FROM content_outcomes WHERE content_revision = $1 AND report_id = $2`,
    [contentRevision, reportId],
  );
  return content;
}

/** The named revision, or the latest of the report where none is named. */
export async function findIssued(tx: Tx, reportId: string, contentRevision: string | null): Promise<IssuedContent | undefined> {
  const [issued] = await tx.rows<IssuedContent>(
    `SELECT project_id AS "projectId", content_revision AS "contentRevision", analysis_revision AS "analysisRevision", sha256, generator
       FROM content_outcomes WHERE report_id = $1 AND content_revision = COALESCE($2::uuid, content_revision)
      ORDER BY created_at DESC LIMIT 1`,
    [reportId, contentRevision],
  );
  return issued;
}
