import type { assetsApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock } from '@tire/kernel';
import { ASSETS, Database, type PromiseClient, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';

/** Longer than the removal of the objects of all schedules of a project takes. */
const LEASE_MS = 15 * 60_000;

const OF_REPORTS = `project_id = $1 AND kind = 'reports'`;

const COUNT = `SELECT count(*)::int AS count FROM export_files WHERE ${OF_REPORTS} AND stored_at IS NOT NULL`;

const TAKE = `
  UPDATE export_files SET attempt_id = $2, next_at = $4
   WHERE ${OF_REPORTS} AND (attempt_id IS NULL OR attempt_id = $2 OR next_at <= $3) RETURNING name`;

const UNDER_WAY = `SELECT FROM export_files WHERE ${OF_REPORTS} AND attempt_id <> $2 AND next_at > $3 LIMIT 1`;

/**
 * An erasure removes the scheduled files with reports of its project: any of them may name the person or the vehicle. It takes them as an
 * attempt does, so that meanwhile no process makes or delivers one.
 */
@Injectable()
export class ErasedFiles {
  constructor(
    private readonly database: Database,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async count(projectId: string): Promise<number> {
    const [row] = await this.database.projectQuery<{ count: number }>(projectId, COUNT, [projectId]);
    return row!.count;
  }

  /** The objects. Fails while an attempt is under way that may have read the reports before their removal. Can be repeated. */
  async removeObjects(projectId: string, erasureId: string): Promise<void> {
    const now = this.clock.now();
    const taken = await this.database.withProject(projectId, async (tx) => {
      const files = await tx.rows<{ name: string }>(TAKE, [projectId, erasureId, now, new Date(now.getTime() + LEASE_MS)]);
      if ((await tx.rows(UNDER_WAY, [projectId, erasureId, now])).length > 0) throw new Error('A scheduled file is under way');
      return files;
    });
    for (const { name } of taken) await this.assets.removeExport({ projectId, name });
  }
}

/** Those whose objects an erasure removed. Returns how many; what was not made yet waits again. */
export async function forgetFiles(tx: Tx, projectId: string, erasureId: string, now: Date): Promise<number> {
  const removed = await tx.execute('DELETE FROM export_files WHERE project_id = $1 AND attempt_id = $2 AND stored_at IS NOT NULL', [
    projectId,
    erasureId,
  ]);
  await tx.execute('UPDATE export_files SET attempt_id = NULL, next_at = $3 WHERE project_id = $1 AND attempt_id = $2', [
    projectId,
    erasureId,
    now,
  ]);
  return removed;
}
