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

/**
 * What runs before a query and in its transaction: the query sees what others committed while this waited. A call with `$3` for the
 * value, as that of a lock.
 */
export interface Before {
  readonly call: string;
  readonly value: string;
}

interface Prelude {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

const SCOPE_STATEMENT = { name: 'tire_scope', text: 'SELECT set_config($1, $2, true)' };
const NO_SCOPE: Scope = ['app.project_id', ''];

const hashedName = (sql: string): string => `tire_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;

/** Few: each is written in code. */
const scopeStatementsBefore = new Map<string, typeof SCOPE_STATEMENT>();

function preludeOf(scope: Scope, before: Before | undefined): Prelude {
  if (!before) return { ...SCOPE_STATEMENT, values: [...scope] };
  let statement = scopeStatementsBefore.get(before.call);
  if (!statement) {
    const text = `SELECT set_config($1, $2, true), ${before.call}`;
    statement = { name: hashedName(text), text };
    scopeStatementsBefore.set(before.call, statement);
  }
  return { ...statement, values: [...scope, before.value] };
}

/**
 * One round trip: the setting, what runs before the query and the query go out together and share one Sync. All that stands before a
 * Sync is one transaction, so the setting holds for the query, which cannot run before it, and is gone when the answer comes.
 */
class ScopedQuery extends PreparedQuery {
  private scoped = false;

  constructor(
    private readonly prelude: Prelude,
    config: QueryConfig,
    done: Done<unknown>,
  ) {
    super(config, done);
  }

  override prepare(connection: ProtocolConnection): void {
    connection.bind({ statement: this.prelude.name, values: this.prelude.values });
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

const preludesKnownTo = new WeakMap<PoolClient, Set<string>>();

/** Hot reads are few and constant; a query whose text differs each time must not fill the server with statements. */
const STATEMENTS_MAX = 200;
const statementNames = new Map<string, string>();

function statementName(sql: string): string | undefined {
  const known = statementNames.get(sql);
  if (known) return known;
  if (statementNames.size >= STATEMENTS_MAX) return undefined;
  const name = hashedName(sql);
  statementNames.set(sql, name);
  return name;
}

async function prepare(client: PoolClient, { name, text, values }: Prelude): Promise<void> {
  const known = preludesKnownTo.get(client) ?? new Set();
  if (known.has(name)) return;
  await client.query({ name, text, values: [...NO_SCOPE, ...values.slice(NO_SCOPE.length)] });
  preludesKnownTo.set(client, known.add(name));
}

export async function runScoped<R>(client: PoolClient, scope: Scope, sql: string, values: unknown[], before?: Before): Promise<R[]> {
  const prelude = preludeOf(scope, before);
  await prepare(client, prelude);
  return new Promise((resolve, reject) => {
    const done: Done<R> = (error, result) => (error ? reject(error) : resolve(result.rows));
    const config = { name: statementName(sql), text: sql, values, queryMode: 'extended' };
    client.query(new ScopedQuery(prelude, config, done as Done<unknown>));
  });
}
