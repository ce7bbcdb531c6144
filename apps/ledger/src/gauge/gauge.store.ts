import type { Analysis, GaugeValue } from '@tire/contracts/api';
import type { Database } from '@tire/platform';
import type { GaugedAnalysis } from '../domain/gauge';

/** One query, so that both analyses are those of one moment. */
const SELECT_HELD = `
  SELECT slots.analysis_id, present.body->'gauge' AS gauge, coalesce(measured.analysis_id, present.analysis_id) AS measured_id,
         coalesce(measured.body, present.body) AS measured,
         (SELECT analysis_id FROM analysis_revision_slots seen
           WHERE seen.revision_id = $3 AND seen.report_id = $1 AND seen.slot_id = $2) AS seen_id
    FROM slots
    JOIN analyses present ON present.report_id = slots.report_id AND present.analysis_id = slots.analysis_id
    LEFT JOIN analyses measured ON measured.report_id = present.report_id AND measured.analysis_id = present.measured_analysis_id
   WHERE slots.report_id = $1 AND slots.slot_id = $2 AND slots.phase = 'succeeded'`;

interface HeldRow {
  readonly analysis_id: string;
  readonly gauge: GaugeValue[] | null;
  readonly measured_id: string;
  readonly measured: Analysis;
  readonly seen_id: string | null;
}

/** Null where the slot has no result. */
export async function findHeld(
  database: Database,
  projectId: string,
  reportId: string,
  slotId: string,
  seenRevision: string,
): Promise<GaugedAnalysis | null> {
  const [row] = await database.projectQuery<HeldRow>(projectId, SELECT_HELD, [reportId, slotId, seenRevision]);
  if (!row) return null;
  const { analysis_id: analysisId, seen_id: seenId, measured_id: measuredId, measured, gauge } = row;
  return { analysisId, seenId, measuredId, measured, values: gauge ?? [] };
}

const SELECT_USE = 'SELECT is_allowed FROM training_use WHERE project_id = $1';

/** Not allowed by default. */
export async function isTrainingAllowed(database: Database, projectId: string): Promise<boolean> {
  const [row] = await database.projectQuery<{ is_allowed: boolean }>(projectId, SELECT_USE, [projectId]);
  return row?.is_allowed ?? false;
}

const UPSERT_USE = `
  INSERT INTO training_use (project_id, is_allowed, changed_at) VALUES ($1, $2, $3)
  ON CONFLICT (project_id) DO UPDATE SET is_allowed = excluded.is_allowed, changed_at = excluded.changed_at`;

export const saveTrainingUse = (database: Database, projectId: string, isAllowed: boolean, now: Date): Promise<unknown> =>
  database.withProject(projectId, (tx) => tx.execute(UPSERT_USE, [projectId, isAllowed, now]));

interface ReadingRow {
  readonly analysis_id: string;
  readonly report_id: string;
  readonly slot_id: string;
  readonly asset_id: string | null;
  readonly body: Analysis;
}

/** Only the analysis that a slot has now: a value that was withdrawn, or whose tread was measured again, trains nothing, nor does a removed report. */
const SELECT_READINGS = `
  SELECT gauged.analysis_id, gauged.report_id, gauged.slot_id, slots.asset_id, gauged.body
    FROM (SELECT * FROM analyses WHERE project_id = $1 AND measured_analysis_id IS NOT NULL AND analysis_id > $2
           ORDER BY analysis_id LIMIT $3) gauged
    LEFT JOIN (slots JOIN reports ON reports.report_id = slots.report_id AND discarded_at IS NULL AND purge_at IS NULL)
           ON slots.report_id = gauged.report_id AND slots.analysis_id = gauged.analysis_id
   ORDER BY gauged.analysis_id`;

export const listGauged = (database: Database, projectId: string, after: string, limit: number): Promise<ReadingRow[]> =>
  database.projectQuery<ReadingRow>(projectId, SELECT_READINGS, [projectId, after, limit]);
