import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function found(folder: string, path: RegExp): Promise<string | undefined> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const name = names.find((one) => path.test(`/${one}`));
  return name && join(folder, name);
}

/** A file of Debian's package, which is unpacked into the cache folder and not installed. Uses the package lists of the machine. */
export async function ensureDebianFile(
  { package: name, path }: { readonly package: string; readonly path: RegExp },
  cacheDir: string,
): Promise<string> {
  const destination = join(cacheDir, `${name}-${arch()}`);
  const known = await found(destination, path);
  if (known) return known;
  await mkdir(cacheDir, { recursive: true });
  const folder = await mkdtemp(join(cacheDir, `${name}-download-`));
  try {
    await run('apt-get', ['-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=2', 'download', name], { cwd: folder });
    const archive = (await readdir(folder)).find((one) => one.endsWith('.deb'));
    if (!archive) throw new Error('apt-get download left no package');
    await run('dpkg', ['-x', join(folder, archive), join(folder, 'unpacked')]);
    await rename(join(folder, 'unpacked'), destination).catch(() => undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const file = await found(destination, path);
  if (!file) throw new Error(`${name} has no file ${path.source}`);
  return file;
}
