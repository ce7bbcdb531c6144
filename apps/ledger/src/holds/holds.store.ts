import type { Database } from '@tire/platform';

interface HeldRow {
  readonly projectId: string;
  readonly reportId: string;
  readonly heldAt: Date;
  readonly heldBy: string;
  readonly reason: string;
  readonly plateNumber: string | null;
  readonly isDiscarded: boolean;
}

const SELECT_HELD = `
  SELECT project_id AS "projectId", report_id AS "reportId", legal_hold_at AS "heldAt", coalesce(legal_hold_by, '') AS "heldBy",
         coalesce(legal_hold_reason, '') AS reason, plate_number AS "plateNumber", discarded_at IS NOT NULL AS "isDiscarded"
    FROM reports WHERE legal_hold_at IS NOT NULL`;
/** A page is a piece of the index of held reports. */
export const HELD_OF_ALL = `${SELECT_HELD} AND (project_id, report_id) > ($1, $2) ORDER BY project_id, report_id LIMIT $3`;
const HELD_OF_PROJECT = `${SELECT_HELD} AND project_id = $1 AND report_id > $2 AND ($4::uuid IS NULL OR report_id = $4)
  ORDER BY project_id, report_id LIMIT $3`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface HeldPage {
  /** Undefined: of all projects. */
  readonly projectId?: string | undefined;
  readonly afterProjectId?: string | undefined;
  /** Only this one. */
  readonly reportId?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export const findHeld = (
  database: Database,
  { projectId, afterProjectId = FIRST_ID, after = FIRST_ID, reportId, limit }: HeldPage,
): Promise<HeldRow[]> =>
  projectId === undefined
    ? database.systemQuery(HELD_OF_ALL, [afterProjectId, after, limit])
    : database.projectQuery(projectId, HELD_OF_PROJECT, [projectId, after, limit, reportId ?? null]);

export async function countHeld(database: Database, projectId: string): Promise<number> {
  const sql = 'SELECT count(*)::int AS held FROM reports WHERE project_id = $1 AND legal_hold_at IS NOT NULL';
  const [row] = await database.projectQuery<{ held: number }>(projectId, sql, [projectId]);
  return row!.held;
}
