import type { Tx } from '@tire/platform';
import type { ReportIdentity } from '../domain/object-key';

export async function insertTombstone(tx: Tx, { projectId, reportId }: ReportIdentity, discardedAt: Date, sweepAfter: Date): Promise<void> {
  await tx.execute(
    `INSERT INTO discarded_reports (project_id, report_id, discarded_at, sweep_after) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [projectId, reportId, discardedAt, sweepAfter],
  );
}

export async function deleteAssets(tx: Tx, reportId: string): Promise<void> {
  await tx.execute('DELETE FROM assets WHERE report_id = $1', [reportId]);
}

/** Requests for images that were given up hold the address of the image. */
export const forgetRequests = (tx: Tx, reportId: string): Promise<number> =>
  tx.execute(`DELETE FROM dead_letters WHERE subject = 'assets.fetch' AND position(convert_to($1, 'UTF8') IN payload) > 0`, [reportId]);

export async function countAssets(tx: Tx, reportIds: readonly string[]): Promise<number> {
  const [row] = await tx.rows<{ count: number }>('SELECT count(*)::int AS count FROM assets WHERE report_id = ANY($1)', [reportIds]);
  return row!.count;
}

/** Reports that are due for sweeping, claimed until `claimedUntil`. A claim that is not marked as swept becomes due again then. */
export function claimDue(tx: Tx, limit: number, now: Date, claimedUntil: Date): Promise<ReportIdentity[]> {
  return tx.rows<ReportIdentity>(
    `UPDATE discarded_reports SET sweep_after = $3
     WHERE (project_id, report_id) IN (
       SELECT project_id, report_id FROM discarded_reports WHERE sweep_after <= $2
       ORDER BY sweep_after LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING project_id AS "projectId", report_id AS "reportId"`,
    [limit, now, claimedUntil],
  );
}

export async function markSwept(tx: Tx, reportId: string): Promise<void> {
  await tx.execute('UPDATE discarded_reports SET sweep_after = NULL WHERE report_id = $1', [reportId]);
}
