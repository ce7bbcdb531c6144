import type { QueryRunner } from 'typeorm';

/** The statements of one unit of work. They share one transaction and one scope of row-level security. */
export interface Tx {
  /** The rows of a SELECT, or of a RETURNING clause. */
  rows<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** The number of rows that a statement changed. */
  execute(sql: string, params?: readonly unknown[]): Promise<number>;
}

/** After `close`, statements are refused: a branch that outlives a failed unit of work must not run outside its transaction. */
export function statementsOf(runner: QueryRunner): { readonly tx: Tx; readonly close: () => void } {
  let isOpen = true;
  const run = async (sql: string, params: readonly unknown[]) => {
    if (!isOpen) throw new Error('The unit of work has ended');
    return runner.query(sql, [...params], true);
  };
  const tx: Tx = {
    rows: async <Row extends object>(sql: string, params: readonly unknown[] = []) => ((await run(sql, params)).records ?? []) as Row[],
    execute: async (sql, params = []) => (await run(sql, params)).affected ?? 0,
  };
  return { tx, close: () => void (isOpen = false) };
}
