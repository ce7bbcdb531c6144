import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from './paths';
import { WHEEL, wheel } from './wheel';

const run = promisify(execFile);
const CLIENT = join(REPOSITORY_ROOT, 'clients/typescript');

const { name, version } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')) as { name: string; version: string };
/** As npm pack names it. */
const TARBALL = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

export const PACKAGES = { typescriptPackage: TARBALL, pythonPackage: WHEEL };

/** Both clients as packages, so that a reader installs those of the service that serves the guide. */
export async function writePackages(folder: string): Promise<void> {
  const built = await mkdtemp(join(tmpdir(), 'tire-client-'));
  try {
    await run(process.execPath, [join(CLIENT, 'build.mjs'), built]);
    await mkdir(folder, { recursive: true });
    await run('npm', ['pack', '--silent', '--pack-destination', folder, built], { cwd: REPOSITORY_ROOT });
    await readFile(join(folder, TARBALL));
  } finally {
    await rm(built, { recursive: true, force: true });
  }
  await writeFile(join(folder, WHEEL), wheel());
}
