import type { Erasure, ErasureCertificate, KeptCount } from '@tire/contracts/console';
import type { SubjectKind } from '@tire/contracts/limits';
import { sealedColumn, type Database, type SealingKeys, type Tx } from '@tire/platform';

export const ERASURE_SUBJECT = sealedColumn({ table: 'erasures', column: 'subject', key: ['erasure_id'] });

export type Preview = NonNullable<Erasure['preview']>;

export interface ErasureRow {
  readonly erasureId: string;
  readonly projectId: string;
  readonly kind: SubjectKind;
  /** Null when it has ended, and where a restored backup is erased again. */
  readonly subject: Buffer | null;
  readonly subjectDigest: Buffer;
  readonly state: Erasure['state'];
  readonly requestedBy: string | null;
  readonly requestedByEmail: string | null;
  readonly requestedAt: Date;
  readonly preview: Preview | null;
  readonly reason: string | null;
  readonly confirmedBy: string | null;
  readonly confirmedByEmail: string | null;
  readonly confirmedAt: Date | null;
  readonly endedAt: Date | null;
  readonly certificate: ErasureCertificate | null;
}

export type ListedRow = Omit<ErasureRow, 'certificate'>;

const COLUMNS = `
         erasure_id AS "erasureId", project_id AS "projectId", kind, subject, subject_digest AS "subjectDigest", state,
         requested_by AS "requestedBy", asker.email AS "requestedByEmail", requested_at AS "requestedAt", preview, reason,
         confirmed_by AS "confirmedBy", confirmer.email AS "confirmedByEmail", confirmed_at AS "confirmedAt", ended_at AS "endedAt"`;
const FROM = `
    FROM erasures LEFT JOIN users asker ON asker.user_id = requested_by LEFT JOIN users confirmer ON confirmer.user_id = confirmed_by`;

const LISTED_MAX = 50;

/** Without certificates, which are long. */
export const listErasures = (tx: Tx, projectId: string): Promise<ListedRow[]> =>
  tx.rows(`SELECT ${COLUMNS} ${FROM} WHERE project_id = $1 ORDER BY erasure_id DESC LIMIT ${LISTED_MAX}`, [projectId]);

export async function findErasure(tx: Tx, erasureId: string): Promise<ErasureRow | null> {
  const [row] = await tx.rows<ErasureRow>(`SELECT ${COLUMNS}, certificate ${FROM} WHERE erasure_id = $1`, [erasureId]);
  return row ?? null;
}

/** A change at the same time waits. */
export async function lockErasure(tx: Tx, erasureId: string): Promise<ErasureRow | null> {
  await tx.rows('SELECT FROM erasures WHERE erasure_id = $1 FOR UPDATE', [erasureId]);
  return findErasure(tx, erasureId);
}

interface NewErasure {
  readonly erasureId: string;
  readonly projectId: string;
  readonly kind: SubjectKind;
  readonly value: string;
  readonly digest: Buffer;
  readonly requestedBy: string | null;
}

export const insertErasure = (tx: Tx, keys: SealingKeys, erasure: NewErasure, now: Date): Promise<number> => {
  const { erasureId, projectId, kind, value, digest, requestedBy } = erasure;
  return tx.execute(
    `INSERT INTO erasures (erasure_id, project_id, kind, subject, subject_digest, state, requested_by, requested_at, next_at)
     VALUES ($1, $2, $3, $4, $5, 'counting', $6, $7, $7)`,
    [erasureId, projectId, kind, ERASURE_SUBJECT.seal(keys, { projectId, id: erasureId }, value), digest, requestedBy, now],
  );
};

export const openSubject = (keys: SealingKeys, { erasureId, projectId, subject }: ListedRow): string | null =>
  subject && ERASURE_SUBJECT.open(keys, { projectId, id: erasureId }, subject).toString();

/** Requests of one project come one after the other, so that none is one too many. */
export async function countOpen(tx: Tx, projectId: string): Promise<number> {
  await tx.rows('SELECT FROM projects WHERE project_id = $1 FOR UPDATE', [projectId]);
  const [row] = await tx.rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM erasures WHERE project_id = $1 AND state IN ('counting', 'counted', 'erasing')`,
    [projectId],
  );
  return row!.count;
}

export const confirmErasure = (tx: Tx, erasureId: string, by: string | null, reason: string, now: Date): Promise<number> =>
  tx.execute(
    `UPDATE erasures SET state = 'erasing', reason = $2, confirmed_by = $3, confirmed_at = $4, next_at = $4
      WHERE erasure_id = $1 AND state = 'counted'`,
    [erasureId, reason, by, now],
  );

/** Before it is confirmed. The value goes, and what it named. */
export async function endUnconfirmed(tx: Tx, erasureId: string, state: 'cancelled' | 'refused', now: Date): Promise<boolean> {
  const ended = await tx.execute(
    `UPDATE erasures SET state = $2, subject = NULL, next_at = NULL, ended_at = $3
      WHERE erasure_id = $1 AND state IN ('counting', 'counted')`,
    [erasureId, state, now],
  );
  if (ended > 0) await tx.execute('DELETE FROM erasure_reports WHERE erasure_id = $1', [erasureId]);
  return ended > 0;
}

const CLAIM = `
  UPDATE erasures SET next_at = $2 WHERE erasure_id = (
    SELECT erasure_id FROM erasures WHERE next_at <= $1 ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING erasure_id AS "erasureId"`;

/** If the process dies, another one takes it after the lease. */
export async function claimErasure(database: Database, now: Date, leaseUntil: Date): Promise<ErasureRow | null> {
  return database.asSystem(async (tx) => {
    const [claimed] = await tx.rows<{ erasureId: string }>(CLAIM, [now, leaseUntil]);
    return claimed ? findErasure(tx, claimed.erasureId) : null;
  });
}

export const postpone = (database: Database, { projectId, erasureId }: ErasureRow, at: Date): Promise<unknown[]> =>
  database.projectQuery(projectId, 'UPDATE erasures SET next_at = $2 WHERE erasure_id = $1 AND next_at IS NOT NULL RETURNING erasure_id', [
    erasureId,
    at,
  ]);

export const findExpired = (database: Database, before: Date, limit: number): Promise<{ projectId: string; erasureId: string }[]> =>
  database.systemQuery(
    `SELECT project_id AS "projectId", erasure_id AS "erasureId" FROM erasures
      WHERE state IN ('counting', 'counted') AND requested_at < $1 ORDER BY requested_at LIMIT $2`,
    [before, limit],
  );

/** With the reports that were found, so that a process that dies counts anew. */
export async function saveCounted(tx: Tx, row: ErasureRow, reportIds: readonly string[], preview: Preview): Promise<void> {
  const { erasureId, projectId } = row;
  const counted = await tx.execute(
    `UPDATE erasures SET state = 'counted', next_at = NULL, preview = $2 WHERE erasure_id = $1 AND state = 'counting'`,
    [erasureId, JSON.stringify(preview)],
  );
  if (counted > 0) await addReports(tx, projectId, erasureId, reportIds);
}

/** Returns how many were not there. */
export const addReports = (tx: Tx, projectId: string, erasureId: string, reportIds: readonly string[]): Promise<number> =>
  tx.execute(
    `INSERT INTO erasure_reports (erasure_id, project_id, report_id, state)
     SELECT $1, $2, id, 'found' FROM unnest($3::uuid[]) AS id ON CONFLICT DO NOTHING`,
    [erasureId, projectId, reportIds],
  );

export interface ErasureReport {
  readonly reportId: string;
  readonly state: 'found' | 'removing' | 'removed' | 'held';
  readonly counts: KeptCount[] | null;
}

export const reportsOfErasure = (tx: Tx, erasureId: string): Promise<ErasureReport[]> =>
  tx.rows('SELECT report_id AS "reportId", state, counts FROM erasure_reports WHERE erasure_id = $1 ORDER BY report_id', [erasureId]);

/** What there was is written down before anything of it goes, so that a process that dies in between loses no number. */
export const beginRemoval = (tx: Tx, erasureId: string, reportId: string, counts: readonly KeptCount[]): Promise<number> =>
  tx.execute(`UPDATE erasure_reports SET state = 'removing', counts = $3 WHERE erasure_id = $1 AND report_id = $2 AND state = 'found'`, [
    erasureId,
    reportId,
    JSON.stringify(counts),
  ]);

export const setReport = (tx: Tx, erasureId: string, reportId: string, state: 'removed' | 'held'): Promise<number> =>
  tx.execute(
    `UPDATE erasure_reports SET state = $3, counts = CASE $3 WHEN 'held' THEN NULL ELSE counts END WHERE erasure_id = $1 AND report_id = $2`,
    [erasureId, reportId, state],
  );

/** The first certificate stays where a restored backup is erased again. */
export const finishErasure = (tx: Tx, erasureId: string, certificate: ErasureCertificate, now: Date): Promise<number> =>
  tx.execute(
    `UPDATE erasures SET state = 'done', subject = NULL, next_at = NULL, ended_at = $3, certificate = coalesce(certificate, $2::json)
      WHERE erasure_id = $1 AND state = 'erasing'`,
    [erasureId, JSON.stringify(certificate), now],
  );

const PROGRESS = `
  SELECT erasure_id AS "erasureId", count(*) FILTER (WHERE state = 'removed')::int AS erased, count(*) FILTER (WHERE state = 'held')::int AS held,
         count(*) FILTER (WHERE state IN ('found', 'removing'))::int AS left
    FROM erasure_reports WHERE erasure_id = ANY($1) GROUP BY erasure_id`;

export async function progressOf(tx: Tx, erasureIds: readonly string[]): Promise<ReadonlyMap<string, Erasure['progress']>> {
  const rows = await tx.rows<Erasure['progress'] & { erasureId: string }>(PROGRESS, [erasureIds]);
  return new Map(rows.map(({ erasureId, ...progress }) => [erasureId, progress]));
}

const OWN_COUNT = `
  SELECT 'visits' AS what, count(*)::int AS count FROM visits WHERE project_id = $1 AND report_id = ANY($2)
  UNION ALL SELECT 'messages', count(*)::int FROM messages WHERE project_id = $1 AND report_id = ANY($2)
  UNION ALL SELECT 'reminders', count(*)::int FROM reminders WHERE project_id = $1 AND report_id = ANY($2)`;

/** What this database keeps of reports. */
export async function countOwn(tx: Tx, projectId: string, reportIds: readonly string[]): Promise<KeptCount[]> {
  const rows = await tx.rows<Omit<KeptCount, 'store'>>(OWN_COUNT, [projectId, reportIds]);
  return rows.map((row) => ({ store: 'gateway', ...row }));
}

/** The visit first: a sender holds its lock, so the message that the sender adds is seen here. Reminders go with it. */
export async function removeOwn(tx: Tx, projectId: string, reportId: string): Promise<void> {
  await tx.execute('DELETE FROM visits WHERE project_id = $1 AND report_id = $2', [projectId, reportId]);
  await tx.execute('DELETE FROM messages WHERE project_id = $1 AND report_id = $2', [projectId, reportId]);
}

/** Lines of requests that name one of these reports, with ids in this range: a piece of the index of the project. */
export const removeLoggedRequests = (
  tx: Tx,
  projectId: string,
  reportIds: readonly string[],
  { from, before }: { readonly from: string; readonly before: string },
): Promise<number> =>
  tx.execute(
    `DELETE FROM request_log WHERE project_id = $1 AND entry_id >= $2 AND entry_id < $3
        AND lower(substring(path FROM '/reports/([0-9a-fA-F-]{36})')) = ANY($4::text[])`,
    [projectId, from, before, reportIds],
  );

export interface SealedCustomer {
  readonly reportId: string;
  readonly details: Buffer;
}

/** Names and addresses are sealed, so that they are found by opening each. */
export const customersAfter = (tx: Tx, projectId: string, after: string, limit: number): Promise<SealedCustomer[]> =>
  tx.rows('SELECT report_id AS "reportId", details FROM visits WHERE project_id = $1 AND report_id > $2 ORDER BY report_id LIMIT $3', [
    projectId,
    after,
    limit,
  ]);

export const reportsOfPhone = async (tx: Tx, projectId: string, digest: Buffer, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>('SELECT report_id AS id FROM visits WHERE project_id = $1 AND phone_digest = $2 LIMIT $3', [
      projectId,
      digest,
      limit,
    ])
  ).map(({ id }) => id);

export interface IndexRow {
  readonly erasureId: string;
  readonly certificate: ErasureCertificate;
}

/** A page of the certificates of all projects. The time is that of the certificate: while it is replayed, the erasure has not ended. */
export const certificatesSince = (tx: Tx, since: Date, after: string, limit: number): Promise<IndexRow[]> =>
  tx.rows(
    `SELECT erasure_id AS "erasureId", certificate FROM erasures
      WHERE erasure_id > $2 AND certificate IS NOT NULL AND (certificate ->> 'ended_at')::timestamptz >= $1 ORDER BY erasure_id LIMIT $3`,
    [since, after, limit],
  );

/** In a restored database the erasure may be missing, or not have ended. Its reports are removed again, by their ids. */
export async function replayErasure(tx: Tx, certificate: ErasureCertificate, now: Date): Promise<void> {
  const {
    erasure_id: erasureId,
    project_id: projectId,
    subject,
    reason,
    requested_at: requestedAt,
    confirmed_at: confirmedAt,
  } = certificate;
  await tx.execute(
    `INSERT INTO erasures (erasure_id, project_id, kind, subject_digest, state, requested_at, reason, confirmed_at, next_at, certificate)
     VALUES ($1, $2, $3, $4, 'erasing', $5, $6, $7, $8, $9)
     ON CONFLICT (erasure_id) DO UPDATE SET state = 'erasing', subject = NULL, reason = excluded.reason, confirmed_at = excluded.confirmed_at,
       next_at = excluded.next_at, ended_at = NULL, certificate = excluded.certificate`,
    [
      ...[erasureId, projectId, subject.kind, Buffer.from(subject.digest, 'hex')],
      ...[new Date(requestedAt), reason, new Date(confirmedAt), now, JSON.stringify(certificate)],
    ],
  );
  await tx.execute(`UPDATE erasure_reports SET state = 'found' WHERE erasure_id = $1 AND report_id = ANY($2::uuid[])`, [
    erasureId,
    certificate.report_ids,
  ]);
  await addReports(tx, projectId, erasureId, certificate.report_ids);
}
