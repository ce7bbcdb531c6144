import type { Tx } from '@tire/platform';

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

export const insertEntries = (tx: Tx, entries: readonly (LogEntry & { slot: number })[]): Promise<number> =>
  tx.execute(
    `INSERT INTO request_log (slot, entry_id, project_id, key_id, at, method, path, status, duration_ms, request_id)
     SELECT * FROM unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::text[], $7::text[], $8::smallint[],
                          $9::integer[], $10::text[])`,
    (['slot', 'entryId', 'projectId', 'keyId', 'at', 'method', 'path', 'status', 'durationMs', 'requestId'] as const).map((column) =>
      entries.map((entry) => entry[column]),
    ),
  );

/** The slot is a small number that this service computes. */
export const emptySlot = (tx: Tx, slot: number): Promise<number> => tx.execute(`TRUNCATE request_log_${Math.trunc(slot)}`);

/** Newest first. Ids contain their time. */
export const logEntries = (
  tx: Tx,
  {
    projectId,
    keyId,
    before,
    since,
    limit,
  }: { projectId: string; keyId: string | undefined; before: string; since: string; limit: number },
): Promise<LogEntry[]> =>
  tx.rows(
    `SELECT entry_id AS "entryId", project_id AS "projectId", key_id AS "keyId", at, method, path, status, duration_ms AS "durationMs",
            request_id AS "requestId"
       FROM request_log
      WHERE project_id = $1 AND entry_id < $2 AND entry_id >= $3 ${keyId === undefined ? '' : 'AND key_id = $5'}
      ORDER BY entry_id DESC LIMIT $4`,
    [projectId, before, since, limit, ...(keyId === undefined ? [] : [keyId])],
  );
