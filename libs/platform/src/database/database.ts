import { DomainError } from '@tire/kernel';
import { escapeLiteral, type Pool, type PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { openAfterCommit } from './after-commit';
import { asRefusal } from './failures';
import { type Before, runScoped, type Scope } from './scoped-query';
import { type Tx, withStatements } from './tx';

/** The only place that says on whose behalf the database is asked. Without it row-level security shows nothing. */
export class Database {
  constructor(readonly dataSource: DataSource) {}

  /** One transaction that sees and writes one project's rows. */
  withProject<T>(projectId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction('app.project_id', projectId, work);
  }

  /** One transaction across projects: for the relay, the reconciler and look-ups by token or digest. */
  asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction('app.scope', 'system', work);
  }

  /** A single constant statement on one project's rows: prepared, a transaction of its own, one round trip. */
  projectQuery<R>(projectId: string, sql: string, params: unknown[] = [], before?: Before): Promise<R[]> {
    return this.query(['app.project_id', projectId], sql, params, before);
  }

  /** The same across projects. */
  systemQuery<R>(sql: string, params: unknown[] = []): Promise<R[]> {
    return this.query(['app.scope', 'system'], sql, params);
  }

  private async query<R>(scope: Scope, sql: string, params: unknown[], before?: Before): Promise<R[]> {
    const client = await this.connect();
    let failure: unknown;
    try {
      return await runScoped<R>(client, scope, sql, params, before);
    } catch (error) {
      failure = asRefusal(error);
      throw failure;
    } finally {
      client.release(failure instanceof DomainError);
    }
  }

  private async transaction<T>(setting: string, value: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    this.requireConnection();
    const runner = this.dataSource.createQueryRunner();
    let committed = (): void => undefined;
    try {
      beginWith(runner, `SELECT set_config('${setting}', ${escapeLiteral(value)}, true)`);
      const result = await runner.manager.transaction((tx) => {
        committed = openAfterCommit(tx);
        return work(withStatements(tx, runner));
      });
      committed();
      return result;
    } catch (error) {
      throw asRefusal(error);
    } finally {
      await runner.release();
    }
  }

  private connect(): Promise<PoolClient> {
    this.requireConnection();
    return poolOf(this.dataSource)
      .connect()
      .catch((error: unknown) => {
        throw asRefusal(error);
      });
  }

  private requireConnection(): void {
    if (!this.dataSource.isInitialized)
      throw new DomainError('service_unavailable', { cause: new Error('The database is not connected yet') });
  }
}

const BEGIN = 'START TRANSACTION';

/** The setting goes out with the begin: one round trip of a small transaction's four less. */
function beginWith(runner: QueryRunner, statement: string): void {
  const query = runner.query.bind(runner) as (sql: string, ...rest: unknown[]) => Promise<unknown>;
  runner.query = (sql: string, ...rest: unknown[]): Promise<never> =>
    query(sql === BEGIN ? `${BEGIN}; ${statement}` : sql, ...rest) as Promise<never>;
}

/** TypeORM types its pool loosely; with the Postgres driver and no replicas it is this one. */
export const poolOf = (source: DataSource): Pool => (source.driver as unknown as { master: Pool }).master;
