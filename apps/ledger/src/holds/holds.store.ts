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
const BY_ID = 'AND report_id > $1 ORDER BY report_id LIMIT $2';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface HeldQuery {
  readonly projectId?: string | undefined;
  readonly reportId?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export const findHeld = (database: Database, { projectId, reportId, after = FIRST_ID, limit }: HeldQuery): Promise<HeldRow[]> => {
  const sql = `${SELECT_HELD} AND ($3::uuid IS NULL OR report_id = $3)`;
  return projectId === undefined
    ? database.systemQuery(`${sql} ${BY_ID}`, [after, limit, reportId ?? null])
    : database.projectQuery(projectId, `${sql} AND project_id = $4 ${BY_ID}`, [after, limit, reportId ?? null, projectId]);
};

export async function countHeld(database: Database, projectId: string): Promise<number> {
  const sql = 'SELECT count(*)::int AS held FROM reports WHERE project_id = $1 AND legal_hold_at IS NOT NULL';
  const [row] = await database.projectQuery<{ held: number }>(projectId, sql, [projectId]);
  return row!.held;
}
