import { DomainError, FairTurns, WaitedTooLong } from '@tire/kernel';
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { openAfterCommit } from './after-commit';
import { asRefusal, isAway } from './failures';
import { readScoped, type Scope } from './scoped-read';
import { inTransaction, type Tx } from './tx';

/** Less than the deadline of a call between services, so that the refusal arrives. */
const TURN_MS = 3_500;

/** The time until which a request waits for its turn. */
export const turnDeadline = (): number => performance.now() + TURN_MS;

/** The only place that sets the scope of row-level security. A statement without a scope returns no row of any project. */
export class Database {
  private readonly records = new FairTurns({ capacity: Infinity, ofKey: 1 });
  private projects?: FairTurns;

  constructor(readonly dataSource: DataSource) {}

  /** A unit of work: one transaction that reads and writes the rows of one project. */
  withProject<T>(projectId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction(['app.project_id', projectId], work);
  }

  /**
   * A unit of work that may wait for a lock. Those of one project hold at most half of the connections at once, and one that waits for its
   * turn holds none. Without a deadline it waits for as long as it takes; `untilMs` is a time of `performance.now()`.
   */
  async withProjectInTurn<T>(projectId: string, work: (tx: Tx) => Promise<T>, untilMs?: number): Promise<T> {
    return inTime(this.turnsOfProjects().run(projectId, () => this.withProject(projectId, work), { untilMs }));
  }

  /** A unit of work that locks one record of a project. Those of one record also run one after the other. */
  async withRecord<T>(projectId: string, recordId: string, work: (tx: Tx) => Promise<T>, untilMs?: number): Promise<T> {
    const inTurn = () => this.withProjectInTurn(projectId, work, untilMs);
    return inTime(this.records.run(`${projectId} ${recordId}`, inTurn, { untilMs }));
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

  private query<R>(scope: Scope, sql: string, params: unknown[]): Promise<R[]> {
    return this.onConnection((client) => readScoped<R>(client, scope, sql, params));
  }

  private async transaction<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
    let committed = (): void => undefined;
    const result = await this.onConnection((client) =>
      inTransaction(client, scope, async (tx) => {
        committed = openAfterCommit(tx);
        return work(tx);
      }),
    );
    committed();
    return result;
  }

  private async onConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    // Without a listener, a connection that is lost during the work would end the process. The pending statements fail by themselves.
    client.on('error', ignore);
    let isLost = false;
    try {
      return await work(client);
    } catch (error) {
      isLost = !(error instanceof DomainError) && isAway(error);
      throw asRefusal(error);
    } finally {
      client.off('error', ignore);
      client.release(isLost);
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

  private turnsOfProjects(): FairTurns {
    this.requireConnection();
    const { max } = poolOf(this.dataSource).options;
    return (this.projects ??= new FairTurns({ capacity: Infinity, ofKey: Math.ceil(max / 2) }));
  }

  private requireConnection(): void {
    if (!this.dataSource.isInitialized)
      throw new DomainError('service_unavailable', { cause: new Error('The database is not connected yet') });
  }
}

const inTime = <T>(turn: Promise<T>): Promise<T> =>
  turn.catch((error: unknown) => {
    throw error instanceof WaitedTooLong ? new DomainError('service_unavailable', { cause: error }) : error;
  });

const ignore = (): void => undefined;

/** The pool of the Postgres driver. TypeORM does not declare its type. */
export const poolOf = (source: DataSource): Pool => (source.driver as unknown as { master: Pool }).master;
