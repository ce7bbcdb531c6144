import { DomainError } from '@tire/kernel';
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { openAfterCommit } from './after-commit';
import { asRefusal } from './failures';
import { readScoped, type Scope, setScope } from './scoped-read';
import { statementsOf, type Tx } from './tx';

/** The only place that sets the scope of row-level security. A statement without a scope sees no row of any project. */
export class Database {
  constructor(readonly dataSource: DataSource) {}

  /** A unit of work: one transaction that sees and writes the rows of one project. */
  withProject<T>(projectId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction(['app.project_id', projectId], work);
  }

  /** A unit of work across projects: for the relay, the reconciler and look-ups by token or digest. */
  asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction(['app.scope', 'system'], work);
  }

  /** One constant statement on the rows of one project: prepared, in a transaction of its own, in one round trip. */
  projectQuery<R>(projectId: string, sql: string, params: unknown[] = []): Promise<R[]> {
    return this.query(['app.project_id', projectId], sql, params);
  }

  /** One constant statement across projects. */
  systemQuery<R>(sql: string, params: unknown[] = []): Promise<R[]> {
    return this.query(['app.scope', 'system'], sql, params);
  }

  private async query<R>(scope: Scope, sql: string, params: unknown[]): Promise<R[]> {
    const client = await this.connect();
    // Without a listener, a connection that is lost during the read would end the process. The pending statements fail by themselves.
    client.on('error', ignore);
    let failure: unknown;
    try {
      return await readScoped<R>(client, scope, sql, params);
    } catch (error) {
      failure = asRefusal(error);
      throw failure;
    } finally {
      client.release(failure instanceof DomainError);
      client.off('error', ignore);
    }
  }

  private async transaction<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
    this.requireConnection();
    const runner = this.dataSource.createQueryRunner();
    let committed = (): void => undefined;
    try {
      const result = await runner.manager.transaction(async () => {
        await runner.query(setScope(scope));
        const { tx, close } = statementsOf(runner);
        committed = openAfterCommit(tx);
        try {
          return await work(tx);
        } finally {
          close();
        }
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

const ignore = (): void => undefined;

/** The pool of the Postgres driver. TypeORM does not declare its type. */
export const poolOf = (source: DataSource): Pool => (source.driver as unknown as { master: Pool }).master;
