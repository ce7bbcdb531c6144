import { DataSource } from 'typeorm';
import { z } from 'zod';
import { ConfigError, parseEnvironment } from '../config/environment';
import { migrationConfig } from '../config/shapes';
import { asRefusal } from './failures';
import { DomainError } from '@tire/kernel';
import type { MigrationClass } from './schema-revision';

const LOCK_KEY = 7_215_000;
const WAIT_MS_MAX = 60_000;
const RETRY_MS = 500;

export interface MigrateOptions {
  readonly name: string;
  readonly migrations: readonly MigrationClass[];
}

async function connect(source: DataSource, say: (line: string) => void): Promise<void> {
  const deadlineMs = Date.now() + WAIT_MS_MAX;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await source.initialize();
      return;
    } catch (error) {
      if (!(asRefusal(error) instanceof DomainError) || Date.now() > deadlineMs) throw error;
      if (attempt === 1) say('waiting for Postgres');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Applies what is not applied yet, and says what it did. Two at once: the second waits, then finds nothing to do. */
export async function migrate(
  { name, migrations }: MigrateOptions,
  settings: { url: string; runtimeRole: string },
  say: (line: string) => void,
): Promise<string[]> {
  const source = new DataSource({
    type: 'postgres',
    url: settings.url,
    applicationName: `${name}-migrate`,
    migrations: [...migrations],
    migrationsTransactionMode: 'each',
    logging: false,
    extra: { options: `-c app.runtime_role=${settings.runtimeRole}` },
  });
  await connect(source, say);
  const lock = source.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    const applied = await source.runMigrations();
    for (const migration of applied) say(`applied ${migration.name}`);
    if (applied.length === 0) say('nothing to apply');
    return applied.map((migration) => migration.name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/** The body of apps/x/src/migrate.ts. It has an account of its own; the service itself cannot change its schema. */
export async function runMigrateCommand(options: MigrateOptions): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${options.name}: ${line}\n`);
  try {
    const config = parseEnvironment(z.object(migrationConfig));
    await migrate(options, { url: config.MIGRATION_DATABASE_URL, runtimeRole: config.DATABASE_RUNTIME_ROLE }, say);
  } catch (error) {
    const reason = error instanceof ConfigError || !(error instanceof Error) ? String(error) : (error.stack ?? error.message);
    process.stderr.write(`${options.name}: migration failed: ${reason}\n`);
    process.exitCode = 1;
  }
}
