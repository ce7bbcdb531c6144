import { appendFile, cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_OWNERS } from '../databases';
import { REPOSITORY_ROOT } from '../stack-file';

/** The busiest table of each service, where a schema change has most effect. */
const BUSIEST: Record<(typeof DATABASE_OWNERS)[number], string> = {
  gateway: 'api_keys',
  ledger: 'reports',
  assets: 'assets',
  content: 'content_outcomes',
  share: 'publications',
};

export const NEXT_MIGRATION = 'NextRelease9000000000000';

/** A migration of the next release: a column that the former code does not use, with a default for the rows that it writes. */
const migrationOf = (table: string): string => `
MIGRATIONS.push(class ${NEXT_MIGRATION} {
  async up(runner) {
    await runner.query("ALTER TABLE ${table} ADD COLUMN next_release text NOT NULL DEFAULT 'next'");
    await runner.query('CREATE TABLE next_release (id uuid PRIMARY KEY)');
  }
});
`;

/** The next release in a separate folder: this build with one more migration in each service, which its readiness requires. */
export async function buildNext(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(join(REPOSITORY_ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  await symlink(join(REPOSITORY_ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const app of DATABASE_OWNERS) {
    await appendFile(join(folder, 'dist/apps', app, 'src/migrations/index.js'), migrationOf(BUSIEST[app]));
  }
  return folder;
}
