import type { EntityManager } from 'typeorm';
import type { StoredAnswer } from '../domain/idempotency';
import { IdempotencyRow } from '../reports/report.rows';

export type KeptAnswer = StoredAnswer & { readonly reportId: string };

/** Another request with the same key is running when the lock is taken: the caller is told, not kept waiting. */
export async function tryLockKey(tx: EntityManager, projectId: string, idempotencyKey: string): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }[]>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1)) AS locked', [
    `${projectId} ${idempotencyKey}`,
  ]);
  return row?.locked ?? false;
}

/** Two creations of one inspection run one after the other, so that the second finds the first. */
export async function lockInspection(tx: EntityManager, projectId: string, externalInspectionId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 2))', [`${projectId} ${externalInspectionId}`]);
}

export const findAnswer = (tx: EntityManager, projectId: string, idempotencyKey: string): Promise<KeptAnswer | null> =>
  tx.findOneBy(IdempotencyRow, { projectId, idempotencyKey });

const KEEP = `
  INSERT INTO idempotency_records (project_id, idempotency_key, request_digest, report_id, http_status, response_json, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING report_id`;

/** Keeps the answer that came first. */
export async function keepAnswer(tx: EntityManager, row: IdempotencyRow): Promise<StoredAnswer> {
  const { projectId, idempotencyKey, requestDigest, reportId, httpStatus, responseJson, createdAt } = row;
  const parameters = [projectId, idempotencyKey, requestDigest, reportId, httpStatus, responseJson, createdAt];
  const kept = await tx.query<unknown[]>(KEEP, parameters);
  return kept.length > 0 ? row : tx.findOneByOrFail(IdempotencyRow, { projectId, idempotencyKey });
}

const FORGET = `
  DELETE FROM idempotency_records WHERE (project_id, idempotency_key) IN (
    SELECT project_id, idempotency_key FROM idempotency_records WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** Returns how many were forgotten. */
export async function forgetAnswers(tx: EntityManager, keptBefore: Date, limit: number): Promise<number> {
  const [, count] = await tx.query<[unknown, number]>(FORGET, [keptBefore, limit]);
  return count;
}
