import { DomainError } from '@tire/kernel';
import type { Pool, PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { openAfterCommit } from './after-commit';
import { asRefusal } from './failures';
import { runScoped } from './scoped-query';

/** The only place that says on whose behalf the database is asked. Without it row-level security shows nothing. */
export class Database {
  constructor(readonly dataSource: DataSource) {}

  /** One transaction that sees and writes one project's rows. */
  withProject<T>(projectId: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.transaction('app.project_id', projectId, work);
  }

  /** One transaction across projects: for the relay, the reconciler and look-ups by token or digest. */
  asSystem<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.transaction('app.scope', 'system', work);
  }

  /** A single constant statement that reads one project's rows: prepared, one round trip. */
  async projectQuery<R>(projectId: string, sql: string, params: unknown[] = []): Promise<R[]> {
    const client = await this.connect();
    let failure: unknown;
    try {
      return await runScoped<R>(client, projectId, sql, params);
    } catch (error) {
      failure = asRefusal(error);
      throw failure;
    } finally {
      client.release(failure instanceof DomainError);
    }
  }

  private async transaction<T>(setting: string, value: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    this.requireConnection();
    let committed = (): void => undefined;
    try {
      const result = await this.dataSource.transaction(async (tx) => {
        await tx.query('SELECT set_config($1, $2, true)', [setting, value]);
        committed = openAfterCommit(tx);
        return work(tx);
      });
      committed();
      return result;
    } catch (error) {
      throw asRefusal(error);
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

/** TypeORM types its pool loosely; with the Postgres driver and no replicas it is this one. */
export const poolOf = (source: DataSource): Pool => (source.driver as unknown as { master: Pool }).master;
