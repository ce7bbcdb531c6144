import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DATABASE_OWNERS } from '../databases';
import { REPOSITORY_ROOT } from '../stack-file';

const run = promisify(execFile);

/** The two builds of an upgrade, as folders, and how a line of the migrations of the way forward must look. */
export interface Builds {
  readonly former: string;
  readonly next: string;
  readonly migrated: RegExp;
}

/** The busiest table of each service, where a schema change has most effect. */
const BUSIEST: Record<(typeof DATABASE_OWNERS)[number], string> = {
  gateway: 'api_keys',
  ledger: 'reports',
  assets: 'assets',
  content: 'content_outcomes',
  share: 'publications',
};

const NEXT_MIGRATION = 'NextRelease9000000000000';

/** A migration of the next release: a column that the former code does not use, with a default for the rows that it writes. */
const migrationOf = (table: string): string => `
MIGRATIONS.push(class ${NEXT_MIGRATION} {
  async up(runner) {
    await runner.query("ALTER TABLE ${table} ADD COLUMN next_release text NOT NULL DEFAULT 'next'");
    await runner.query('CREATE TABLE next_release (id uuid PRIMARY KEY)');
  }
});
`;

async function emptied(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** This build, and the next one in a separate folder: this build with one more migration in each service, which its readiness requires. */
export async function thisAndNext(folder: string): Promise<Builds> {
  const next = await emptied(folder);
  await cp(join(REPOSITORY_ROOT, 'dist'), join(next, 'dist'), { recursive: true });
  await symlink(join(REPOSITORY_ROOT, 'node_modules'), join(next, 'node_modules'));
  for (const app of DATABASE_OWNERS) {
    await appendFile(join(next, 'dist/apps', app, 'src/migrations/index.js'), migrationOf(BUSIEST[app]));
  }
  return { former: REPOSITORY_ROOT, next, migrated: new RegExp(`applied ${NEXT_MIGRATION}`) };
}

/** The build of a commit, a branch or a tag in a separate folder, and this build. */
export async function formerAndThis(ref: string, folder: string): Promise<Builds> {
  const former = await emptied(folder);
  const archive = `${former}.tar`;
  await run('git', ['archive', '--output', archive, ref], { cwd: REPOSITORY_ROOT });
  await run('tar', ['-xf', archive, '-C', former]);
  await rm(archive);
  const [ours, theirs] = await Promise.all([REPOSITORY_ROOT, former].map((root) => readFile(join(root, 'package-lock.json'), 'utf8')));
  if (ours === theirs) await symlink(join(REPOSITORY_ROOT, 'node_modules'), join(former, 'node_modules'));
  else await run('npm', ['ci'], { cwd: former });
  await run(process.execPath, ['deploy/build.mjs'], { cwd: former });
  return { former, next: REPOSITORY_ROOT, migrated: /: (applied \w+|nothing to apply)/ };
}
