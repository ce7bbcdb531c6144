import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable, isExecutable } from './executable';

const run = promisify(execFile);
const APT_OPTIONS = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=2', '-o', 'APT::Sandbox::User=root'];

interface DebianProgram {
  readonly package: string;
  /** Inside the package. */
  readonly path: string;
}

/** Uses the package lists of the machine, or else temporary ones. Neither needs root. */
async function downloadPackage(name: string, folder: string): Promise<void> {
  const download = (options: string[]) => run('apt-get', [...APT_OPTIONS, ...options, 'download', name], { cwd: folder });
  try {
    await download([]);
  } catch {
    const state = join(folder, 'apt');
    await mkdir(join(state, 'lists/partial'), { recursive: true });
    await mkdir(join(state, 'cache/archives/partial'), { recursive: true });
    const own = ['-o', `Dir::State::Lists=${state}/lists`, '-o', `Dir::Cache=${state}/cache`, '-o', 'Debug::NoLocking=1'];
    await run('apt-get', [...APT_OPTIONS, ...own, 'update']);
    await download(own);
  }
}

async function unpackInto(destination: string, program: DebianProgram, cacheDir: string): Promise<void> {
  const folder = await mkdtemp(join(cacheDir, `${program.package}-download-`));
  try {
    await downloadPackage(program.package, folder);
    const file = (await readdir(folder)).find((name) => name.endsWith('.deb'));
    if (!file) throw new Error('apt-get download left no package');
    await run('dpkg', ['-x', join(folder, file), join(folder, 'unpacked')]);
    // Another run may have finished first. Its copy is identical.
    await rename(join(folder, 'unpacked'), destination).catch(async (error: unknown) => {
      if (!(await isExecutable(join(destination, program.path)))) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of a program: from PATH, or from Debian's package, which is unpacked into the cache folder and not installed. */
export async function ensureDebianBinary(program: DebianProgram, cacheDir: string): Promise<string> {
  const name = program.path.split('/').at(-1)!;
  const installed = await findExecutable(name);
  if (installed) return installed;
  const destination = join(cacheDir, `${program.package}-${arch()}`);
  const binary = join(destination, program.path);
  if (await isExecutable(binary)) return binary;
  await mkdir(cacheDir, { recursive: true });
  try {
    await unpackInto(destination, program, cacheDir);
  } catch (cause) {
    throw new Error(`${name} is missing and Debian's package of it is not available here: install ${name} on the PATH`, { cause });
  }
  return binary;
}
