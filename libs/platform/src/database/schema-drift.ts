import type { DataSource } from 'typeorm';
import { statementsOf } from './recorded-migrations';
import { type MigrationClass, migrationName, rowsOf } from './schema-revision';

const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const;
const GRANT = /^GRANT (.+) ON "(\w+)" TO "runtime"$/;
const FORCED = /^ALTER TABLE "(\w+)" FORCE ROW LEVEL SECURITY$/;
/** `SELECT, UPDATE (a, b)` */
const PRIVILEGE = /([A-Z]+)(?: \(([^)]+)\))?/g;

/** What the migrations give the runtime role: `reports SELECT`, `reports.plate UPDATE`. */
interface Declared {
  readonly grants: ReadonlySet<string>;
  readonly tables: readonly string[];
  /** The tables whose rows belong to projects. */
  readonly guarded: readonly string[];
}

export function declaredBy(statements: readonly string[]): Declared {
  const grants = new Set<string>();
  const tables = new Set<string>();
  const guarded = new Set<string>();
  for (const statement of statements) {
    const [, forced] = FORCED.exec(statement) ?? [];
    if (forced) guarded.add(forced);
    const [, privileges, table] = GRANT.exec(statement) ?? [];
    if (!privileges || !table) continue;
    tables.add(table);
    for (const [, privilege, columns] of privileges.matchAll(PRIVILEGE)) {
      const places = columns ? columns.split(',').map((column) => `${table}.${column.trim()}`) : [table];
      for (const place of places) grants.add(`${place} ${privilege}`);
    }
  }
  return { grants, tables: [...tables], guarded: [...guarded] };
}

const declaredIn = async (migrations: readonly MigrationClass[]): Promise<Declared> =>
  declaredBy((await Promise.all(migrations.map(statementsOf))).flat());

/** Applied migrations that this code does not know: those of a newer release, which may have removed what this one uses. */
async function newerMigrations(source: DataSource, migrations: readonly MigrationClass[]): Promise<string[]> {
  const known = new Set(migrations.map(migrationName));
  const applied = await rowsOf<{ name: string }>(source, 'SELECT name FROM migrations ORDER BY id');
  return applied.map(({ name }) => name).filter((name) => !known.has(name));
}

interface Held {
  readonly place: string;
  readonly privilege: string;
  readonly held: boolean;
}

const ON_TABLES = `
  SELECT t.name AS place, p.privilege, has_table_privilege(c.oid, p.privilege) AS held
  FROM unnest($1::text[]) AS t(name) JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name)), unnest($2::text[]) AS p(privilege)`;
const ON_COLUMNS = `
  SELECT t.name || '.' || a.attname AS place, p.privilege, has_column_privilege(c.oid, a.attnum, p.privilege) AS held
  FROM unnest($1::text[]) AS t(name) JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name))
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped, unnest($2::text[]) AS p(privilege)`;

interface SchemaDrift {
  readonly newer: readonly string[];
  /** Declared and not held: some statement of the service fails. */
  readonly missing: readonly string[];
  /** Held on a whole table and not declared: a fault of the service could do more than it should. Empty in a newer schema, which may grant more. */
  readonly excess: readonly string[];
}

/** How the database differs from what the code declares, where the service works all the same. */
export async function schemaDrift(source: DataSource, migrations: readonly MigrationClass[]): Promise<SchemaDrift> {
  const { grants, tables } = await declaredIn(migrations);
  const onTables = await source.query<Held[]>(ON_TABLES, [tables, PRIVILEGES]);
  const onColumns = await source.query<Held[]>(ON_COLUMNS, [tables, ['SELECT', 'INSERT', 'UPDATE']]);
  const newer = await newerMigrations(source, migrations);
  const name = ({ place, privilege }: Held): string => `${place} ${privilege}`;
  return {
    newer,
    missing: [...onTables, ...onColumns].filter((right) => !right.held && grants.has(name(right))).map(name),
    excess: newer.length > 0 ? [] : onTables.filter((right) => right.held && !grants.has(name(right))).map(name),
  };
}

/** The tables of projects without row-level security: every project could read the rows of every other one. */
export async function unguardedTables(source: DataSource, migrations: readonly MigrationClass[]): Promise<string[]> {
  const { guarded } = await declaredIn(migrations);
  const rows = await source.query<{ name: string }[]>(
    `SELECT t.name FROM unnest($1::text[]) AS t(name) JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name))
     WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
    [guarded],
  );
  return rows.map(({ name }) => name);
}
