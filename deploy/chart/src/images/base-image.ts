import { findExecutable, Unavailable } from '@tire/test-harness';
import { copyFile, cp, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Buildah } from './buildah';
import { run } from './commands';

const NAME = 'localhost/node';
const SUITE = 'bookworm';

/** npm beside Node below /usr/local, as in the official image. It is the npm of this machine; its version may differ. */
async function layNpm(root: string): Promise<void> {
  const npm = dirname(dirname(await realpath((await findExecutable('npm'))!)));
  await mkdir(join(root, 'usr/local/lib/node_modules'), { recursive: true });
  await cp(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
}

/** In a temporary container, because mounts for npm leave empty mount points behind. */
async function tryNpm(buildah: Buildah): Promise<void> {
  const container = await buildah.call('from', '--pull-never', `${NAME}:${SUITE}`);
  await buildah.runIn(container, 'npm', 'view', 'typescript', 'version').catch((error: Error) => {
    throw new Unavailable(`in a container here nothing runs, or npm does not reach its registry: ${error.message}`);
  });
  await buildah.call('rm', container);
}

/** The programs that a container of the checks runs beside Node. */
const PROGRAMS = ['env', 'setpriv'];

/** Copies a program of this machine with the libraries that it loads. */
export async function layProgram(root: string, file: string, place = file): Promise<void> {
  const libraries = (await run('ldd', [file])).matchAll(/(\/\S+) \(0x/g);
  for (const [from, to] of [[file, place] as const, ...Array.from(libraries, ([, path]) => [path!, path!] as const)]) {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await copyFile(from, join(root, to));
  }
}

async function committed(buildah: Buildah, root: string): Promise<string> {
  const container = await buildah.call('from', '--pull-never', 'scratch').catch((error: Error) => {
    throw new Unavailable(`buildah keeps no layers here: ${error.message}`);
  });
  await buildah.call('add', '--quiet', container, root, '/');
  await buildah.call('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', '--cmd', 'node', container);
  await buildah.call('commit', '--rm', '--quiet', container, `${NAME}:${SUITE}`);
  return `${NAME}@${await buildah.digestOf(`${NAME}:${SUITE}`)}`;
}

/** Node and what an inspection runs, without Debian: an image is built on it and inspected, but no package is installed in it. */
export async function smallBaseImage(buildah: Buildah, folder: string, node: string): Promise<string> {
  const root = join(folder, 'base');
  for (const place of ['etc', 'proc', 'tmp']) await mkdir(join(root, place), { recursive: true });
  await layProgram(root, node, '/usr/local/bin/node');
  for (const program of PROGRAMS) await layProgram(root, (await findExecutable(program))!);
  return committed(buildah, root);
}

/**
 * Builds a replacement for the official Node image without an image registry: the same release of Debian, the same major version of
 * Node, and npm. Returns its digest for the Dockerfile.
 */
export async function baseImage(buildah: Buildah, folder: string, node: string): Promise<string> {
  const root = join(folder, 'base');
  await rm(root, { recursive: true, force: true });
  await run('debootstrap', ['--variant=minbase', SUITE, root]).catch((error: Error) => {
    throw new Unavailable(`Debian's packages make no root here: ${error.message}`);
  });
  await rm(join(root, 'var/cache/apt'), { recursive: true, force: true });
  await rm(join(root, 'var/lib/apt/lists'), { recursive: true, force: true });
  await mkdir(join(root, 'usr/local/bin'), { recursive: true });
  await copyFile(node, join(root, 'usr/local/bin/node'));
  await layNpm(root);
  const digest = await committed(buildah, root);
  await tryNpm(buildah);
  await rm(root, { recursive: true, force: true });
  return digest;
}
