import { sealedColumn, type SealingKeys, type Tx } from '@tire/platform';
import type { StoredAnswer } from '../domain/idempotency';

export type RecordedAnswer = StoredAnswer & { readonly reportId: string };

type AnswerRow = Omit<RecordedAnswer, 'responseJson'> & { readonly responseJson: Buffer };

interface IdempotencyRecord extends RecordedAnswer {
  readonly projectId: string;
  readonly idempotencyKey: string;
  readonly createdAt: Date;
}

const TRY_LOCK_KEY = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1)) AS locked';

/** False while another request with the same key runs: the caller gets an error instead of a wait. */
export async function tryLockKey(tx: Tx, projectId: string, idempotencyKey: string): Promise<boolean> {
  const [row] = await tx.rows<{ locked: boolean }>(TRY_LOCK_KEY, [`${projectId} ${idempotencyKey}`]);
  return row?.locked ?? false;
}

const TRY_LOCK_INSPECTION = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 2)) AS locked';

/** False while another process creates a report of the inspection. A wait in Postgres would hold a connection of the pool. */
export async function tryLockInspection(tx: Tx, projectId: string, externalInspectionId: string): Promise<boolean> {
  const [row] = await tx.rows<{ locked: boolean }>(TRY_LOCK_INSPECTION, [`${projectId} ${externalInspectionId}`]);
  return row?.locked ?? false;
}

const SELECT = `
  SELECT request_digest AS "requestDigest", report_id AS "reportId", http_status AS "httpStatus", response_json AS "responseJson"
    FROM idempotency_records WHERE project_id = $1 AND idempotency_key = $2`;

/** The response contains the address of the share page and signed upload addresses, so it is sealed. */
export const RECORDED_ANSWER = sealedColumn({
  table: 'idempotency_records',
  column: 'response_json',
  key: ['project_id', 'idempotency_key'],
});

export async function findAnswer(tx: Tx, keys: SealingKeys, projectId: string, idempotencyKey: string): Promise<RecordedAnswer | null> {
  const [row] = await tx.rows<AnswerRow>(SELECT, [projectId, idempotencyKey]);
  return row ? { ...row, responseJson: () => RECORDED_ANSWER.open(keys, { projectId, id: idempotencyKey }, row.responseJson) } : null;
}

const INSERT = `
  INSERT INTO idempotency_records (project_id, idempotency_key, request_digest, report_id, http_status, response_json, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`;

/** Returns the answer that was recorded first. */
export async function recordAnswer(tx: Tx, keys: SealingKeys, record: IdempotencyRecord): Promise<StoredAnswer> {
  const { projectId, idempotencyKey, requestDigest, reportId, httpStatus, responseJson, createdAt } = record;
  const sealed = RECORDED_ANSWER.seal(keys, { projectId, id: idempotencyKey }, responseJson());
  const inserted = await tx.execute(INSERT, [projectId, idempotencyKey, requestDigest, reportId, httpStatus, sealed, createdAt]);
  if (inserted > 0) return record;
  const first = await findAnswer(tx, keys, projectId, idempotencyKey);
  if (!first) throw new Error('An idempotency record that blocks an insert cannot be read');
  return first;
}

const DELETE_OLD = `
  DELETE FROM idempotency_records WHERE (project_id, idempotency_key) IN (
    SELECT project_id, idempotency_key FROM idempotency_records WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** Returns how many were deleted. */
export const deleteOldAnswers = (tx: Tx, createdBefore: Date, limit: number): Promise<number> =>
  tx.execute(DELETE_OLD, [createdBefore, limit]);
