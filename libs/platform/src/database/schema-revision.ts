import type { DataSource, MigrationInterface } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

/** The name under which TypeORM records a migration. */
export const migrationName = (migration: MigrationClass): string => new migration().name ?? migration.name;

/** The rows of a table that may not be there yet. */
export const rowsOf = <Row>(source: DataSource, sql: string): Promise<Row[]> =>
  source.query<Row[]>(sql).catch((error: { code?: string }) => {
    // 42P01, undefined table: no migration was ever applied.
    if (error.code === '42P01') return [];
    throw error;
  });

/** The migrations that the code needs and the database does not have. A database that is ahead of the code is fine. */
export async function missingMigrations(source: DataSource, migrations: readonly MigrationClass[]): Promise<string[]> {
  if (migrations.length === 0) return [];
  const applied = await rowsOf<{ name: string }>(source, 'SELECT name FROM migrations');
  const names = new Set(applied.map(({ name }) => name));
  return migrations.map(migrationName).filter((name) => !names.has(name));
}

/** Row-level security does not apply to such a role: a forgotten WHERE would show rows of another project. */
export async function bypassesRowLevelSecurity(source: DataSource): Promise<boolean> {
  const [role] = await source.query<{ bypasses: boolean }[]>(
    'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user',
  );
  return role?.bypasses ?? true;
}
