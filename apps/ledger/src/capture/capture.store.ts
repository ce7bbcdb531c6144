import type { Database } from '@tire/platform';
import type { CaptureAnalysis } from '../domain/capture';

interface FoundReport {
  readonly projectId: string;
  readonly reportId: string;
}

const SELECT_BY_DIGEST = `
  SELECT project_id AS "projectId", report_id AS "reportId" FROM reports
   WHERE capture_digest = $1 AND discarded_at IS NULL AND purge_at IS NULL`;

/** Across projects: the token is all that its holder has. */
export async function findByCapture(database: Database, digest: Buffer): Promise<FoundReport | null> {
  const [found] = await database.systemQuery<FoundReport>(SELECT_BY_DIGEST, [digest]);
  return found ?? null;
}

const SELECT_ANALYSES = `
  SELECT slot_id AS "slotId", (body->'quality'->>'recognized')::boolean AS recognized, body->'retake' AS retake
    FROM slots JOIN analyses USING (report_id, slot_id, analysis_id) WHERE report_id = $1`;

interface AnalysisRow {
  readonly slotId: string;
  readonly recognized: boolean | null;
  readonly retake: readonly { readonly code: CaptureAnalysis['retake'][number] }[] | null;
}

export async function findCaptureAnalyses(
  database: Database,
  { projectId, reportId }: FoundReport,
): Promise<ReadonlyMap<string, CaptureAnalysis>> {
  const rows = await database.projectQuery<AnalysisRow>(projectId, SELECT_ANALYSES, [reportId]);
  return new Map(rows.map(({ slotId, recognized, retake }) => [slotId, { recognized, retake: (retake ?? []).map(({ code }) => code) }]));
}
