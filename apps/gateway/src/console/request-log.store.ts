import type { EntityManager } from 'typeorm';

export interface LogEntry {
  readonly entryId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

export const insertEntries = (tx: EntityManager, entries: readonly (LogEntry & { slot: number })[]): Promise<unknown> =>
  tx.query(
    `INSERT INTO request_log (slot, entry_id, project_id, key_id, at, method, path, status, duration_ms, request_id)
     SELECT * FROM unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::text[], $7::text[], $8::smallint[],
                          $9::integer[], $10::text[])`,
    (['slot', 'entryId', 'projectId', 'keyId', 'at', 'method', 'path', 'status', 'durationMs', 'requestId'] as const).map((column) =>
      entries.map((entry) => entry[column]),
    ),
  );

/** The number is one of ours. */
export const emptySlot = (tx: EntityManager, slot: number): Promise<unknown> => tx.query(`TRUNCATE request_log_${Math.trunc(slot)}`);

/** Newest first. Ids carry their time. */
export const logEntries = (
  tx: EntityManager,
  { projectId, keyId, before, since, limit }: { projectId: string; keyId: string | null; before: string; since: string; limit: number },
): Promise<LogEntry[]> =>
  tx.query(
    `SELECT entry_id AS "entryId", project_id AS "projectId", key_id AS "keyId", at, method, path, status, duration_ms AS "durationMs",
            request_id AS "requestId"
       FROM request_log
      WHERE project_id = $1 AND entry_id < $2 AND entry_id >= $3 ${keyId === null ? '' : 'AND key_id = $5'}
      ORDER BY entry_id DESC LIMIT $4`,
    [projectId, before, since, limit, ...(keyId === null ? [] : [keyId])],
  );
