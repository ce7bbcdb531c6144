import { DataSource } from 'typeorm';
import { z } from 'zod';
import { ConfigError, parseEnvironment } from '../config/environment';
import { migrationConfig } from '../config/shapes';
import { isError } from '../is-error';
import { asRefusal } from './failures';
import { DomainError } from '@tire/kernel';
import type { MigrationClass } from './schema-revision';

const LOCK_KEY = 7_215_000;
const WAIT_MS_MAX = 60_000;
const RETRY_MS = 500;
/** A network that drops packets gives no other answer. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface MigrateOptions {
  readonly name: string;
  readonly migrations: readonly MigrationClass[];
}

/** A host with several addresses fails with one error for each and no text of its own. */
function reasonOf(error: unknown): string {
  if (!isError(error)) return String(error);
  const parts: unknown = Reflect.get(error, 'errors');
  return error.message || (Array.isArray(parts) ? parts.map(reasonOf).join(', ') : error.name);
}

/** Waits for the server and reports each new reason, so that the log shows a wrong address or a blocked connection from the start. */
async function connect(source: DataSource, report: (line: string) => void): Promise<void> {
  const deadlineMs = Date.now() + WAIT_MS_MAX;
  let reported = '';
  for (;;) {
    try {
      await source.initialize();
      return;
    } catch (error) {
      if (!(asRefusal(error) instanceof DomainError) || Date.now() > deadlineMs) throw error;
      const reason = reasonOf(error);
      if (reason !== reported) report(`waiting for Postgres: ${reason}`);
      reported = reason;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Applies the missing migrations and reports them. Of two runs at once, the second waits and then has nothing to do. */
export async function migrate(
  { name, migrations }: MigrateOptions,
  settings: { url: string; runtimeRole: string },
  report: (line: string) => void,
): Promise<string[]> {
  const source = new DataSource({
    type: 'postgres',
    url: settings.url,
    applicationName: `${name}-migrate`,
    migrations: [...migrations],
    migrationsTransactionMode: 'each',
    logging: false,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: { options: `-c app.runtime_role=${settings.runtimeRole}` },
  });
  await connect(source, report);
  const lock = source.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    const applied = await source.runMigrations();
    for (const migration of applied) report(`applied ${migration.name}`);
    if (applied.length === 0) report('nothing to apply');
    return applied.map((migration) => migration.name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/** The body of apps/x/src/migrate.ts. It uses its own database account: the service itself cannot change its schema. */
export async function runMigrateCommand(options: MigrateOptions): Promise<void> {
  const report = (line: string): void => void process.stdout.write(`${options.name}: ${line}\n`);
  try {
    const config = parseEnvironment(z.object(migrationConfig));
    await migrate(options, { url: config.MIGRATION_DATABASE_URL, runtimeRole: config.DATABASE_RUNTIME_ROLE }, report);
  } catch (error) {
    const reason = error instanceof ConfigError || !(error instanceof Error) ? String(error) : (error.stack ?? error.message);
    process.stderr.write(`${options.name}: migration failed: ${reason}\n`);
    process.exitCode = 1;
  }
}
