import type { QueryRunner } from 'typeorm';

/** The statements of one unit of work. They share one transaction and one scope of row-level security. */
export interface Tx {
  /** The rows of a SELECT, or of a RETURNING clause. */
  rows<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** The number of rows that a statement changed. */
  execute(sql: string, params?: readonly unknown[]): Promise<number>;
}

export const statementsOf = (runner: QueryRunner): Tx => ({
  rows: async <Row extends object>(sql: string, params: readonly unknown[] = []) =>
    ((await runner.query(sql, [...params], true)).records ?? []) as Row[],
  execute: async (sql, params = []) => (await runner.query(sql, [...params], true)).affected ?? 0,
});
