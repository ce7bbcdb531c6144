import type { VisitDetails } from '@tire/contracts/console';
import type { Channel } from '../messages/carrier';
import { sealedColumn, type Database, type SealingKeys, type Tx } from '@tire/platform';

export interface VisitRow {
  readonly reportId: string;
  readonly details: Buffer;
  readonly advisorId: string | null;
  readonly advisorName: string | null;
  readonly consentVersion: string | null;
  readonly consentLanguage: string | null;
  readonly consentAt: Date | null;
  readonly consentBy: string | null;
  readonly updatedAt: Date;
}

export const VISIT_DETAILS = sealedColumn({ table: 'visits', column: 'details', key: ['project_id', 'report_id'] });

export const EMPTY: VisitDetails = { name: null, phone: null, email: null, note: null };

export const sealDetails = (keys: SealingKeys, projectId: string, reportId: string, details: VisitDetails): Buffer =>
  VISIT_DETAILS.seal(keys, { projectId, id: reportId }, JSON.stringify(details));

export const openDetails = (keys: SealingKeys, projectId: string, { reportId, details }: VisitRow): VisitDetails =>
  JSON.parse(VISIT_DETAILS.open(keys, { projectId, id: reportId }, details).toString()) as VisitDetails;

const SELECT = `
  SELECT report_id AS "reportId", details, advisor_id AS "advisorId", advisors.name AS "advisorName", consent_version AS "consentVersion",
         consent_language AS "consentLanguage", consent_at AS "consentAt", recorders.name AS "consentBy", updated_at AS "updatedAt"
    FROM visits LEFT JOIN users advisors ON advisors.user_id = advisor_id LEFT JOIN users recorders ON recorders.user_id = consent_by
   WHERE project_id = $1`;

export async function findVisit(tx: Tx, projectId: string, reportId: string): Promise<VisitRow | null> {
  const [row] = await tx.rows<VisitRow>(`${SELECT} AND report_id = $2`, [projectId, reportId]);
  return row ?? null;
}

export const findVisits = (tx: Tx, projectId: string, reportIds: readonly string[]): Promise<VisitRow[]> =>
  tx.rows<VisitRow>(`${SELECT} AND report_id = ANY($2)`, [projectId, reportIds]);

/** Creates an empty one if there is none. Whoever changes it at the same time waits. */
export async function lockVisit(
  tx: Tx,
  keys: SealingKeys,
  projectId: string,
  reportId: string,
  now: Date,
  checkAt: Date,
): Promise<VisitRow> {
  await tx.execute(
    'INSERT INTO visits (project_id, report_id, details, updated_at, check_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
    [projectId, reportId, sealDetails(keys, projectId, reportId, EMPTY), now, checkAt],
  );
  await tx.rows('SELECT FROM visits WHERE project_id = $1 AND report_id = $2 FOR UPDATE', [projectId, reportId]);
  const row = await findVisit(tx, projectId, reportId);
  if (!row) throw new Error('A visit that was just locked is missing');
  return row;
}

export interface StoredVisit {
  readonly details: Buffer;
  /** Undefined: it stays. */
  readonly phoneDigest: Buffer | null | undefined;
  readonly advisorId: string | null;
}

export const storeVisit = (tx: Tx, projectId: string, reportId: string, visit: StoredVisit, now: Date): Promise<number> =>
  tx.execute(
    `UPDATE visits SET details = $3, phone_digest = CASE WHEN $5 THEN $4 ELSE phone_digest END, advisor_id = $6, updated_at = $7
      WHERE project_id = $1 AND report_id = $2`,
    [projectId, reportId, visit.details, visit.phoneDigest ?? null, visit.phoneDigest !== undefined, visit.advisorId, now],
  );

interface GivenConsent {
  readonly version: string;
  readonly language: string;
  readonly by: string;
}

export const storeConsent = (tx: Tx, projectId: string, reportId: string, consent: GivenConsent | null, now: Date): Promise<number> =>
  tx.execute(
    `UPDATE visits SET consent_version = $3, consent_language = $4, consent_by = $5, consent_at = $6, updated_at = $7
      WHERE project_id = $1 AND report_id = $2`,
    [projectId, reportId, consent?.version ?? null, consent?.language ?? null, consent?.by ?? null, consent ? now : null, now],
  );

export const SEARCHED_MAX = 50;

export const findVisitsByPhone = (tx: Tx, projectId: string, digest: Buffer): Promise<VisitRow[]> =>
  tx.rows<VisitRow>(`${SELECT} AND phone_digest = $2 ORDER BY updated_at DESC LIMIT ${SEARCHED_MAX}`, [projectId, digest]);

/**
 * False if there was none. Of its messages the receivers go, and those that wait are stopped. The visit goes first: whoever sends holds its
 * lock, and the message that they add is then seen here.
 */
export async function deleteVisit(tx: Tx, projectId: string, reportId: string, now: Date): Promise<boolean> {
  const removed = await tx.execute('DELETE FROM visits WHERE project_id = $1 AND report_id = $2', [projectId, reportId]);
  await forgetReceivers(tx, projectId, reportId, now);
  return removed === 1;
}

/** Those that wait; of one channel or of all. */
export const stopMessages = (tx: Tx, projectId: string, reportId: string, now: Date, channel: Channel | null = null): Promise<number> =>
  tx.execute(
    `UPDATE messages SET state = 'stopped', content = NULL, under_way = false, ended_at = $3
      WHERE project_id = $1 AND report_id = $2 AND state = 'queued' AND ($4::text IS NULL OR channel = $4)`,
    [projectId, reportId, now, channel],
  );

/** Those that wait are stopped. */
export async function forgetReceivers(
  tx: Tx,
  projectId: string,
  reportId: string,
  now: Date,
  channel: Channel | null = null,
): Promise<void> {
  await stopMessages(tx, projectId, reportId, now, channel);
  await tx.execute(
    `UPDATE messages SET receiver = NULL
      WHERE project_id = $1 AND report_id = $2 AND ($3::text IS NULL OR channel = $3) AND receiver IS NOT NULL`,
    [projectId, reportId, channel],
  );
}

/** Whether there is one. The next check happens now, also if this process dies. */
export async function markForCheck(database: Database, projectId: string, reportId: string, now: Date): Promise<boolean> {
  const sql = 'UPDATE visits SET check_at = $3 WHERE project_id = $1 AND report_id = $2 RETURNING report_id';
  return (await database.projectQuery(projectId, sql, [projectId, reportId, now])).length === 1;
}

export interface CheckedVisit {
  readonly projectId: string;
  readonly reportId: string;
  readonly mode: 'test' | 'live';
}

/** An earlier release leaves customers of live projects without a next check. Returns how many got one, within a week. */
export const scheduleChecks = (database: Database, now: Date, limit: number): Promise<number> =>
  database.asSystem((tx) =>
    tx.execute(
      `UPDATE visits SET check_at = $1::timestamptz + random() * interval '7 days' WHERE (project_id, report_id) IN (
         SELECT project_id, report_id FROM visits WHERE check_at IS NULL LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [now, limit],
    ),
  );

/** Takes those whose check is due. If the process dies, another one takes them again after the pause. */
export const claimChecks = (database: Database, now: Date, again: Date, limit: number): Promise<CheckedVisit[]> =>
  database.systemQuery(
    `UPDATE visits SET check_at = $2 FROM projects
      WHERE projects.project_id = visits.project_id AND (visits.project_id, report_id) IN (
        SELECT project_id, report_id FROM visits WHERE check_at <= $1 ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING visits.project_id AS "projectId", report_id AS "reportId", mode`,
    [now, again, limit],
  );

export const setNextCheck = (database: Database, { projectId, reportId }: CheckedVisit, at: Date): Promise<unknown[]> =>
  database.projectQuery(projectId, 'UPDATE visits SET check_at = $3 WHERE project_id = $1 AND report_id = $2 RETURNING report_id', [
    projectId,
    reportId,
    at,
  ]);

export const listAdvisors = (tx: Tx, organizationId: string, limit: number): Promise<{ userId: string; name: string }[]> =>
  tx.rows(
    'SELECT user_id AS "userId", name FROM memberships JOIN users USING (user_id) WHERE organization_id = $1 ORDER BY name, user_id LIMIT $2',
    [organizationId, limit],
  );

export async function isMemberById(tx: Tx, organizationId: string, userId: string): Promise<boolean> {
  const rows = await tx.rows('SELECT FROM memberships WHERE organization_id = $1 AND user_id = $2', [organizationId, userId]);
  return rows.length === 1;
}
