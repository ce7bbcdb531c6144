import { createHash } from 'node:crypto';
import { escapeLiteral, type PoolClient, type QueryResult } from 'pg';

/** The setting that row-level security reads, and its value. */
export type Scope = readonly [setting: 'app.project_id' | 'app.scope', value: string];

/** Holds until the transaction ends. A literal, because SET takes no parameters; it costs Postgres less than calling set_config(). */
export function setScope([setting, value]: Scope): string {
  if (value.includes('\0')) throw new Error('A scope contains no NUL character');
  return `SET LOCAL ${setting} TO ${escapeLiteral(value)}`;
}

/** Postgres keeps each prepared statement of a connection in memory. A statement beyond this number is not prepared. */
const PREPARED_MAX = 200;
const preparedNames = new Map<string, string>();

export function preparedName(sql: string): string | undefined {
  const known = preparedNames.get(sql);
  if (known || preparedNames.size >= PREPARED_MAX) return known;
  const name = `tire_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
  preparedNames.set(sql, name);
  return name;
}

/**
 * A transaction around one statement, in one round trip: the client of a pipelined connection sends each query without waiting for the
 * answer to the one before it. If the statement fails, Postgres treats the COMMIT as a ROLLBACK, so the setting never outlives the read.
 * Settles after the last answer, so no query of this read is pending when the connection returns to the pool.
 */
export async function readScoped<R>(client: PoolClient, scope: Scope, sql: string, values: unknown[]): Promise<R[]> {
  const answers = await Promise.allSettled([
    client.query(`BEGIN; ${setScope(scope)}`),
    client.query({ name: preparedName(sql), text: sql, values }),
    client.query('COMMIT'),
  ]);
  const [, read] = answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value as QueryResult;
  });
  return read!.rows as R[];
}
