import type { PoolClient } from 'pg';
import { isError } from '../is-error';
import { preparedName, type Scope, setScope } from './scoped-read';

/** A constant statement that runs so often that each connection keeps it, and Postgres its plan. */
interface Prepared {
  readonly prepared: string;
}

export const prepared = (sql: string): Prepared => ({ prepared: sql });

type Statement = string | Prepared;

/** The statements of one unit of work. They share one transaction and one scope of row-level security. */
export interface Tx {
  /** The rows of a SELECT, or of a RETURNING clause. */
  rows<Row extends object>(statement: Statement, params?: readonly unknown[]): Promise<Row[]>;
  /** The number of rows that a statement changed. */
  execute(statement: Statement, params?: readonly unknown[]): Promise<number>;
}

/**
 * The client of a pipelined connection sends BEGIN together with the first statement, so a unit of work costs one round trip for each of its
 * statements and one for COMMIT. If BEGIN or the setting fails, so does every statement after it.
 */
export async function inTransaction<T>(client: PoolClient, scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
  const began = client.query(`BEGIN; ${setScope(scope)}`);
  // Reported below, or by the statement after it.
  began.catch(() => undefined);
  const { tx, close, causeOf } = statementsOf(client);
  try {
    const result = await work(tx);
    await began;
    close();
    const { command } = await client.query('COMMIT');
    // Postgres answers ROLLBACK if a statement failed whose error the work did not pass on.
    if (command !== 'COMMIT') throw new Error('The unit of work contains a statement that failed');
    return result;
  } catch (error) {
    close();
    await client.query('ROLLBACK');
    throw causeOf(error);
  }
}

/** Postgres refuses each statement after one that failed. */
const isAborted = (error: unknown): boolean => isError(error) && Reflect.get(error, 'code') === '25P02';

interface Statements {
  readonly tx: Tx;
  /** After it, statements are refused: a branch that outlives a failed unit of work must not run outside its transaction. */
  close(): void;
  /** The error of the first statement that failed, where the given one only followed from it: statements may be sent together. */
  causeOf(error: unknown): unknown;
}

function statementsOf(client: PoolClient): Statements {
  let isOpen = true;
  let first: unknown;
  const run = async (statement: Statement, params: readonly unknown[]) => {
    if (!isOpen) throw new Error('The unit of work has ended');
    try {
      if (typeof statement === 'string') return await client.query(statement, [...params]);
      const text = statement.prepared;
      return await client.query({ name: preparedName(text), text, values: [...params] });
    } catch (error) {
      first ??= error;
      throw error;
    }
  };
  const tx: Tx = {
    rows: async <Row extends object>(statement: Statement, params: readonly unknown[] = []) => (await run(statement, params)).rows as Row[],
    execute: async (statement, params = []) => (await run(statement, params)).rowCount ?? 0,
  };
  return { tx, close: () => void (isOpen = false), causeOf: (error) => (isAborted(error) ? (first ?? error) : error) };
}
