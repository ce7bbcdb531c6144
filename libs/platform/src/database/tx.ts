import type { EntityManager, QueryRunner } from 'typeorm';

/** The statements of one unit of work: they share one transaction and one scope of row-level security. */
export interface Statements {
  /** The rows of a SELECT, or of what a statement returns. */
  rows<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** The number of rows that a statement changed. */
  execute(sql: string, params?: readonly unknown[]): Promise<number>;
}

/** Stores use the statements only. The entity manager goes as soon as no store needs it. */
export type Tx = EntityManager & Statements;

export function withStatements(manager: EntityManager, runner: QueryRunner): Tx {
  const statements: Statements = {
    rows: async <Row extends object>(sql: string, params: readonly unknown[] = []) =>
      ((await runner.query(sql, [...params], true)).records ?? []) as Row[],
    execute: async (sql, params = []) => (await runner.query(sql, [...params], true)).affected ?? 0,
  };
  return Object.assign(manager, statements);
}
