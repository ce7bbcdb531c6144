import { Injectable } from '@nestjs/common';
import { Database } from '@tire/platform';
import { LOCK_KEY } from './asset.store';
import type { ReportIdentity } from './domain/object-key';

/** The tombstones of discarded reports, and what is removed with them. */
@Injectable()
export class DiscardStore {
  constructor(private readonly database: Database) {}

  /** Whoever records an asset of the report just now has done so before this returns; nobody does afterwards. */
  bury({ projectId, reportId }: ReportIdentity, discardedAt: Date, sweepAfter: Date): Promise<void> {
    return this.database.withProject(projectId, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [reportId]);
      await tx.query(
        `INSERT INTO discarded_reports (project_id, report_id, discarded_at, sweep_after) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [projectId, reportId, discardedAt, sweepAfter],
      );
    });
  }

  async removeAssets({ projectId, reportId }: ReportIdentity): Promise<void> {
    await this.database.withProject(projectId, (tx) => tx.query('DELETE FROM assets WHERE report_id = $1', [reportId]));
  }

  /** Reports whose time has come, for this process alone until `claimedUntil`: one that fails or dies gives them back by the clock. */
  claimDue(limit: number, now: Date, claimedUntil: Date): Promise<ReportIdentity[]> {
    return this.database.asSystem(async (tx) => {
      const [rows] = await tx.query<[ReportIdentity[], number]>(
        `UPDATE discarded_reports SET sweep_after = $3
         WHERE (project_id, report_id) IN (
           SELECT project_id, report_id FROM discarded_reports WHERE sweep_after <= $2
           ORDER BY sweep_after LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING project_id AS "projectId", report_id AS "reportId"`,
        [limit, now, claimedUntil],
      );
      return rows;
    });
  }

  async markSwept({ projectId, reportId }: ReportIdentity): Promise<void> {
    await this.database.withProject(projectId, (tx) =>
      tx.query('UPDATE discarded_reports SET sweep_after = NULL WHERE report_id = $1', [reportId]),
    );
  }
}
