import { createHash, randomBytes } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { infrastructureOfThisRun } from './infrastructure';

export type MigrationClass = new () => MigrationInterface;

export interface TestDatabase {
  /** Connects as the runtime role, to which row-level security applies. */
  readonly url: string;
  readonly ownerUrl: string;
  drop(): Promise<void>;
}

const OWNER_ROLE = 'tire_owner';
const RUNTIME_ROLE = 'tire_runtime';
/** An arbitrary number that all suites of the cluster share. */
const TEMPLATE_LOCK = 7_215_001;

async function withSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: infrastructureOfThisRun().postgresUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string, role: string): string {
  const url = new URL(infrastructureOfThisRun().postgresUrl);
  url.username = role;
  url.pathname = `/${database}`;
  return url.toString();
}

async function exists(client: Client, catalogue: 'pg_roles' | 'pg_database', column: string, name: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT 1 FROM ${catalogue} WHERE ${column} = $1`, [name]);
  return rowCount === 1;
}

async function ensureRoles(client: Client): Promise<void> {
  const password = decodeURIComponent(new URL(infrastructureOfThisRun().postgresUrl).password);
  for (const role of [OWNER_ROLE, RUNTIME_ROLE]) {
    if (await exists(client, 'pg_roles', 'rolname', role)) continue;
    const attributes = `LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD ${escapeLiteral(password)}`;
    await client.query(`CREATE ROLE ${escapeIdentifier(role)} ${attributes}`);
  }
}

async function migrate(database: string, migrations: MigrationClass[]): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    url: urlOf(database, OWNER_ROLE),
    migrations,
    // The role to which migrations grant privileges. In production the migrate command sets it from its configuration.
    extra: { options: `-c app.runtime_role=${RUNTIME_ROLE}` },
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

/** A hash of names and code, so that a changed migration makes a new template. */
function templateName(migrations: MigrationClass[]): string {
  const hash = createHash('sha256');
  for (const migration of migrations) hash.update(`${migration.name}\n${new migration().name}\n${migration.toString()}\n`);
  return `template_${hash.digest('hex').slice(0, 24)}`;
}

/** The template gets its name when it is complete, so that a killed run leaves no partial template. */
async function ensureTemplate(client: Client, migrations: MigrationClass[]): Promise<string> {
  const template = templateName(migrations);
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    await ensureRoles(client);
    if (await exists(client, 'pg_database', 'datname', template)) return template;
    const building = `${template}_building`;
    await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(building)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${escapeIdentifier(building)} OWNER ${OWNER_ROLE}`);
    await migrate(building, migrations);
    await client.query(`ALTER DATABASE ${escapeIdentifier(building)} RENAME TO ${escapeIdentifier(template)}`);
    return template;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

/** A new database with these migrations, cloned from a template that is made once for each set of migrations. */
export async function createTestDatabase(options: { name: string; migrations: MigrationClass[] }): Promise<TestDatabase> {
  const database = `${options.name}_${randomBytes(6).toString('hex')}`;
  await withSuperuser(async (client) => {
    const template = await ensureTemplate(client, options.migrations);
    await client.query(`CREATE DATABASE ${escapeIdentifier(database)} TEMPLATE ${escapeIdentifier(template)} OWNER ${OWNER_ROLE}`);
  });
  return {
    url: urlOf(database, RUNTIME_ROLE),
    ownerUrl: urlOf(database, OWNER_ROLE),
    drop: () => withSuperuser(async (client) => void (await client.query(`DROP DATABASE ${escapeIdentifier(database)} WITH (FORCE)`))),
  };
}
