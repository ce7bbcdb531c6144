import { baseImage, Buildah, ensureNodeOfImages, layProgram, run, step } from '@tire/chart';
import { ensureNatsBinary, ensurePostgresBinaries, ensureWeedBinary } from '@tire/test-harness';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, copyFile, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries';
import { CACHE, REGISTRY, REPOSITORY_ROOT } from './places';

export const APPS = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'] as const;
export const SERVERS = { postgres: `${REGISTRY}/postgres:18`, nats: `${REGISTRY}/nats:2`, seaweedfs: `${REGISTRY}/seaweedfs:4` } as const;
const PROGRAMS = join(REPOSITORY_ROOT, '.local/cache');
const ARCHIVES = join(CACHE, 'archives');

/** Prepares an empty volume as the official image does: it runs the scripts of a trial, and lets other pods in. */
const POSTGRES_ENTRY = `#!/bin/sh
set -eu
export PGDATA="\${PGDATA:-/var/lib/postgresql/18/docker}"
mkdir -p "$PGDATA"
chmod 0700 "$PGDATA"
sockets='-c unix_socket_directories=/var/run/postgresql'
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\\n' "$POSTGRES_PASSWORD" | initdb -U postgres --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256 --pwfile=/dev/stdin
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  export PGHOST=/var/run/postgresql
  pg_ctl -w start -o "$sockets -c listen_addresses=''"
  for script in /docker-entrypoint-initdb.d/*.sh; do [ ! -e "$script" ] || . "$script"; done
  pg_ctl -w -m fast stop
fi
exec "$@" -c "listen_addresses=*" $sockets
`;

export interface Recipe {
  readonly tag: string;
  readonly base: string;
  readonly lay: (root: string) => Promise<void>;
  readonly settings: readonly string[];
}

export async function place(file: string, root: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await copyFile(file, join(root, path));
  await chmod(join(root, path), 0o755);
}

async function layPostgres(root: string): Promise<void> {
  const binaries = dirname(await ensurePostgresBinaries({ uid: 70, gid: 70 }));
  await cp(binaries, join(root, 'usr/local/pgsql'), { recursive: true, verbatimSymlinks: true });
  await appendFile(join(root, 'etc/passwd'), 'postgres:x:70:70::/var/lib/postgresql:/bin/sh\n');
  const entry = join(root, 'usr/local/bin/docker-entrypoint.sh');
  await writeFile(entry, POSTGRES_ENTRY, { mode: 0o755 });
  // This build of Postgres has no clients. Those of this machine take their libraries with them.
  const clients = (await run('bash', ['-c', 'ls -d /usr/lib/postgresql/*/bin | tail -1'])).trim();
  for (const client of ['psql', 'pg_isready']) await layProgram(root, join(clients, client), `/usr/local/bin/${client}`);
  for (const place of ['var/lib/postgresql', 'run/postgresql']) await makeFor(70, join(root, place));
}

async function makeFor(user: number, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chown(folder, user, user);
}

const recipesOf = (base: string, { pause, coredns }: Binaries): Recipe[] => [
  {
    tag: `${REGISTRY}/pause:1`,
    base: 'scratch',
    lay: (root) => place(join(pause, 'pause'), root, 'pause'),
    settings: ['--entrypoint', '["/pause"]', '--user', '65535:65535'],
  },
  {
    tag: `${REGISTRY}/coredns:1`,
    base: 'scratch',
    lay: (root) => place(join(coredns, 'coredns'), root, 'coredns'),
    settings: ['--entrypoint', '["/coredns"]', '--user', '65532:65532'],
  },
  {
    tag: SERVERS.postgres,
    base,
    lay: layPostgres,
    settings: ['--env', 'PATH=/usr/local/pgsql/bin:/usr/local/bin:/usr/bin:/bin', '--entrypoint', '["docker-entrypoint.sh"]'],
  },
  {
    tag: SERVERS.nats,
    base,
    lay: async (root) => place(await ensureNatsBinary(PROGRAMS), root, 'usr/local/bin/nats-server'),
    settings: ['--entrypoint', '["nats-server"]'],
  },
  {
    tag: SERVERS.seaweedfs,
    base,
    lay: async (root) => place(await ensureWeedBinary(PROGRAMS), root, 'usr/local/bin/weed'),
    settings: [],
  },
];

async function make(buildah: Buildah, { tag, base, lay, settings }: Recipe): Promise<void> {
  const container = await buildah.call('from', '--pull-never', base);
  await lay(await buildah.call('mount', container));
  await buildah.call('config', '--cmd', '[]', ...settings, container);
  // Without the time, the same files give the same image, and its archive is found again.
  await buildah.call('commit', '--rm', '--quiet', '--timestamp', '0', container, tag);
}

/** The image below, of Debian and Node, from an earlier run if there is one. */
async function baseOf(buildah: Buildah): Promise<string> {
  const name = 'localhost/node';
  const digest = await buildah.digestOf(`${name}:bookworm`).catch(() => null);
  return digest ? `${name}@${digest}` : baseImage(buildah, CACHE, await ensureNodeOfImages(PROGRAMS));
}

/** An archive of an image, from an earlier run if the image is the same. */
async function archiveOf(buildah: Buildah, tag: string): Promise<string> {
  const file = join(ARCHIVES, `${await buildah.call('images', '--no-trunc', '--format', '{{.ID}}', tag)}.tar`.replace('sha256:', ''));
  if (existsSync(file)) return file;
  await rm(`${file}.part`, { force: true });
  // This kind of archive is not compressed, which saves two minutes.
  await buildah.call('push', '--quiet', tag, `docker-archive:${file}.part:${tag}`);
  await rename(`${file}.part`, file);
  return file;
}

/** Large folders that .dockerignore leaves out. Buildah would look through them for each image. */
const LEFT_OUT = ['.git', '.local', '.nx', 'node_modules', 'dist', 'coverage', 'tmp'];

async function copyOfSources(): Promise<string> {
  const folder = join(CACHE, 'sources');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const names = (await readdir(REPOSITORY_ROOT)).filter((name) => !LEFT_OUT.includes(name));
  await run('cp', ['-a', ...names, folder], { cwd: REPOSITORY_ROOT });
  return folder;
}

/** Builds every image and returns an archive of each. Layers and archives stay in the cache. */
export async function buildImages(binaries: Binaries, others: (base: string) => readonly Recipe[]): Promise<string[]> {
  const buildah = await Buildah.in(join(CACHE, 'buildah'));
  const base = await step('the image below, of Debian and Node', () => baseOf(buildah));
  const tags: string[] = [];
  for (const recipe of [...recipesOf(base, binaries), ...others(base)]) {
    await step(recipe.tag, () => make(buildah, recipe));
    tags.push(recipe.tag);
  }
  const context = await copyOfSources();
  for (const app of APPS) {
    const tag = `${REGISTRY}/tire-inspection/${app}:0.1.0`;
    await step(tag, () => buildah.build({ tag, args: { APP: app }, base, context }));
    tags.push(tag);
  }
  return step('archives of the images', async () => {
    await mkdir(ARCHIVES, { recursive: true });
    const files: string[] = [];
    for (const tag of tags) files.push(await archiveOf(buildah, tag));
    for (const name of await readdir(ARCHIVES)) if (!files.includes(join(ARCHIVES, name))) await rm(join(ARCHIVES, name));
    return files;
  });
}
