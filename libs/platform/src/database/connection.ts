import type { QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { logger } from '../logs/logger';
import { ATTRIBUTES, METRICS } from '../telemetry/names';
import { observe } from '../telemetry/metrics';
import { poolOf } from './database';
import { changedMigrations } from './recorded-migrations';
import { schemaDrift, unguardedTables } from './schema-drift';
import { bypassesRowLevelSecurity, type MigrationClass, missingMigrations } from './schema-revision';

/** A connection whose server does not answer is closed then, so that checks do not use up the pool. */
const ANSWER_MS_MAX = 2_000;
/** node-postgres has this limit for one statement; its types do not. */
const SELECT_ONE: QueryConfig & { readonly query_timeout: number } = { text: 'SELECT 1', query_timeout: ANSWER_MS_MAX };
/** So recent an answer says that Postgres is there. */
const RECENT_MS = 1_000;
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 5_000;

/** Connects in the background. Reports for readiness whether the database is connected and has the schema that the code needs. */
export class DatabaseConnection {
  private readonly log = logger('database');
  private readonly closing = new AbortController();
  private opening: Promise<void> = Promise.resolve();
  private schemaIsRight = false;
  private telling: Promise<void> | undefined;
  /** When a connection last came back to the pool in order. */
  private answeredMs = -Infinity;

  constructor(
    private readonly source: DataSource,
    private readonly migrations: readonly MigrationClass[],
  ) {}

  open(): void {
    this.opening = this.connect();
    observe(METRICS.databasePoolConnections, { description: 'Connections of the pool' }, () => {
      if (!this.source.isInitialized) return [];
      const { totalCount, idleCount } = poolOf(this.source);
      return [
        { value: totalCount - idleCount, attributes: { [ATTRIBUTES.state]: 'used' } },
        { value: idleCount, attributes: { [ATTRIBUTES.state]: 'idle' } },
      ];
    });
    observe(METRICS.databasePoolWaiting, { description: 'Requests that wait for a connection of the pool' }, () =>
      this.source.isInitialized ? [{ value: poolOf(this.source).waitingCount }] : [],
    );
  }

  async check(): Promise<void> {
    if (!this.source.isInitialized) throw new Error('not connected');
    if (this.schemaIsRight) return this.assertAnswers();
    const missing = await missingMigrations(this.source, this.migrations);
    if (missing.length > 0) throw new Error(`schema is behind: ${missing.join(', ')} not applied`);
    const changed = await changedMigrations(this.source, this.migrations);
    if (changed.length > 0) throw new Error(`schema is of another build: ${changed.join(', ')} had other statements`);
    if (await bypassesRowLevelSecurity(this.source)) throw new Error('the role bypasses row-level security');
    const unguarded = await unguardedTables(this.source, this.migrations);
    if (unguarded.length > 0) throw new Error(`row-level security is off: ${unguarded.join(', ')}`);
    this.schemaIsRight = true;
    this.telling ??= this.tellDrift();
  }

  /** Resolves without a question if the database was connected before and had the schema. */
  async checkOnce(): Promise<void> {
    if (!this.schemaIsRight) await this.check();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all([this.opening, this.telling]);
    if (this.source.isInitialized) await this.source.destroy();
  }

  /** Once, when the schema is known to serve. The service works, or fails visibly where a privilege is missing. */
  private async tellDrift(): Promise<void> {
    try {
      const { newer, missing, excess } = await schemaDrift(this.source, this.migrations);
      if (newer.length > 0) this.log.warn({ migrations: newer }, 'The schema is newer than this process');
      if (missing.length > 0) this.log.warn({ privileges: missing }, 'The role lacks privileges that the migrations grant');
      if (excess.length > 0) this.log.warn({ privileges: excess }, 'The role has privileges that no migration grants');
    } catch (error) {
      this.log.warn({ err: error }, 'The privileges of the role cannot be read');
    }
  }

  /** Under load a question waits behind all requests. Their answers say as much, and a busy service must not become unready for it. */
  private async assertAnswers(): Promise<void> {
    const pool = poolOf(this.source);
    const isBusy = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
    if (isBusy && performance.now() - this.answeredMs < RECENT_MS) return;
    await pool.query(SELECT_ONE);
  }

  private async connect(): Promise<void> {
    for (let attempt = 1; !this.closing.signal.aborted; attempt += 1) {
      try {
        await this.source.initialize();
        poolOf(this.source).on('release', (error) => {
          if (!error) this.answeredMs = performance.now();
        });
        this.log.info({ attempt }, 'Connected to Postgres');
        return;
      } catch (error) {
        const retryMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (attempt - 1));
        this.log.warn({ err: error, attempt, retry_ms: retryMs }, 'Postgres cannot be reached; retrying');
        await this.pause(retryMs);
      }
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.closing;
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}
