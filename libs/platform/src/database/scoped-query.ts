import { createHash } from 'node:crypto';
import { type Connection, type PoolClient, Query, type QueryConfig } from 'pg';

/** The part of node-postgres' query object that speaks the protocol; the published types leave it out. */
interface ProtocolQuery {
  submit(connection: Connection): unknown;
  prepare(connection: ProtocolConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
}

interface ProtocolConnection {
  bind(config: { statement: string; values: string[] }): void;
  execute(config: object): void;
}

type Done<R> = (error: Error | null | undefined, result: { rows: R[] }) => void;

const PreparedQuery = Query as unknown as new (config: QueryConfig, done: Done<unknown>) => ProtocolQuery;

/** Whose rows a query sees: row-level security asks these settings. */
export type Scope = readonly [setting: 'app.project_id' | 'app.scope', value: string];

const SCOPE_STATEMENT = { name: 'tire_scope', text: 'SELECT set_config($1, $2, true)' };
const NO_SCOPE: Scope = ['app.project_id', ''];

/**
 * One round trip: the setting and the query go out together and share one Sync. All that stands before a Sync is one
 * transaction, so the setting holds for the query, which cannot run before it, and is gone when the answer comes.
 */
class ScopedQuery extends PreparedQuery {
  private scoped = false;

  constructor(
    private readonly scope: Scope,
    config: QueryConfig,
    done: Done<unknown>,
  ) {
    super(config, done);
  }

  override prepare(connection: ProtocolConnection): void {
    connection.bind({ statement: SCOPE_STATEMENT.name, values: [...this.scope] });
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.scoped) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.scoped) return super.handleCommandComplete(message, connection);
    this.scoped = true;
  }
}

const withScopeStatement = new WeakSet<PoolClient>();

/** Hot reads are few and constant; a query whose text differs each time must not fill the server with statements. */
const STATEMENTS_MAX = 200;
const statementNames = new Map<string, string>();

function statementName(sql: string): string | undefined {
  const known = statementNames.get(sql);
  if (known) return known;
  if (statementNames.size >= STATEMENTS_MAX) return undefined;
  const name = `tire_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
  statementNames.set(sql, name);
  return name;
}

export async function runScoped<R>(client: PoolClient, scope: Scope, sql: string, values: unknown[]): Promise<R[]> {
  if (!withScopeStatement.has(client)) {
    await client.query({ ...SCOPE_STATEMENT, values: [...NO_SCOPE] });
    withScopeStatement.add(client);
  }
  return new Promise((resolve, reject) => {
    const done: Done<R> = (error, result) => (error ? reject(error) : resolve(result.rows));
    const config = { name: statementName(sql), text: sql, values, queryMode: 'extended' };
    client.query(new ScopedQuery(scope, config, done as Done<unknown>));
  });
}
