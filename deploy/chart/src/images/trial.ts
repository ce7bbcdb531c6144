import { BROKER_OPERATOR, EVENTING_SERVICES } from '@tire/contracts/events';
import { ensureNatsBinary, ensurePostgresBinaries, ensureWeedBinary, eventually, type ServerProcess } from '@tire/test-harness';
import { appendFile, chmod, chown, copyFile, cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { component, ofKind, type Workload, workloads } from '../manifests';
import { NATS_USERS } from '../nats-users';
import { CACHE, CHART } from '../paths';
import { render } from '../render';
import type { Buildah } from './buildah';
import { step } from './commands';
import { Container, type ContainerOptions } from './container';

/** A server of the trial without its image: another build from npm, Debian or PyPI. */
interface Program {
  readonly lay: (root: string) => Promise<void>;
  /** Arguments that the image adds before those of the manifest. */
  readonly entry: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** JavaScript that fails unless the server is ready. Default: the HTTP probe of the manifest. */
  readonly probe?: string;
}

const single = (name: string, ensure: (cache: string) => Promise<string>) => async (root: string) => {
  const file = join(root, 'usr/local/bin', name);
  await copyFile(await ensure(CACHE), file);
  await chmod(file, 0o755);
};

function probeOf({ pod }: Workload): string {
  const { port, path } = (pod.containers[0]!.readinessProbe as { httpGet: { port: number; path: string } }).httpGet;
  return `fetch('http://127.0.0.1:${port}${path}').then(({ ok }) => { if (!ok) throw new Error('not ok'); })`;
}

/** Prepares an empty volume as the entry point of the image does. Our scripts are tested separately. */
const INITIALIZED = `
set -eu
mkdir -p "$PGDATA"
chmod 0700 "$PGDATA"
[ -s "$PGDATA/PG_VERSION" ] || printf '%s\\n' "$POSTGRES_PASSWORD" | initdb -U postgres --locale=C.UTF-8 --pwfile=/dev/stdin
exec "$@" -c unix_socket_directories=/var/run/postgresql
`;

const PROGRAMS: Readonly<Record<'postgres' | 'nats' | 'seaweedfs', Program>> = {
  postgres: {
    lay: async (root) => {
      const binaries = dirname(await ensurePostgresBinaries({ uid: 70, gid: 70 }));
      await cp(binaries, join(root, 'usr/local/pgsql'), { recursive: true, verbatimSymlinks: true });
      await appendFile(join(root, 'etc/passwd'), 'postgres:x:70:70::/var/lib/postgresql:/bin/sh\n');
    },
    entry: ['sh', '-c', INITIALIZED, 'postgres'],
    environment: { PATH: '/usr/local/pgsql/bin:/usr/local/bin:/usr/bin:/bin', PGDATA: '/var/lib/postgresql/18/docker' },
    // A replacement for pg_isready, which is not in this build of Postgres.
    probe: `require('node:net').connect('/var/run/postgresql/.s.PGSQL.5432').on('connect', () => process.exit(0))`,
  },
  nats: {
    lay: async (root) => {
      await single('nats-server', ensureNatsBinary)(root);
      await mkdir(join(root, 'etc/nats-users'), { recursive: true });
      await copyFile(join(CHART, NATS_USERS), join(root, 'etc/nats-users/nats-users.conf'));
    },
    entry: ['nats-server'],
  },
  seaweedfs: { lay: single('weed', ensureWeedBinary), entry: [] },
};

const SECRETS: Readonly<Record<string, string>> = {
  'access-key': 'tire',
  'secret-key': '0123456789abcdef',
  'postgres-password': 'password',
  ...Object.fromEntries([...EVENTING_SERVICES, BROKER_OPERATOR].map((name) => [name, `password-of-${name}`])),
};

const variablesOf = ({ pod }: Workload): Record<string, string> =>
  Object.fromEntries(
    (pod.containers[0]!.env ?? []).map(({ name, value, valueFrom }) => [name, value ?? SECRETS[valueFrom!.secretKeyRef!.key]!]),
  );

export interface Place {
  readonly buildah: Buildah;
  readonly base: string;
  readonly folder: string;
  readonly hostsFile: string;
}

/** Writable volumes with the group of fsGroup. Passwords and scripts are read-only. */
async function volumesOf(workload: Workload, folder: string): Promise<string[]> {
  const { runAsUser } = workload.pod.securityContext!;
  const written = (workload.pod.containers[0]!.volumeMounts ?? []).filter(({ name }) => ['data', 'scratch'].includes(name));
  return Promise.all(
    written.map(async ({ name, mountPath }) => {
      const volume = join(folder, `trial-${component(workload.manifest)}-${name}`);
      await mkdir(volume, { recursive: true });
      await chown(volume, 0, runAsUser!);
      await chmod(volume, 0o2775);
      return `${volume}:${mountPath}`;
    }),
  );
}

/** Arguments, environment, user and writable volumes of the StatefulSet. Everything else is read-only. */
async function startServer(name: keyof typeof PROGRAMS, workload: Workload, { buildah, base, folder, hostsFile }: Place) {
  const { lay, entry, environment, probe = probeOf(workload) } = PROGRAMS[name];
  const root = await buildah.mounted(base);
  await lay(root);
  const { args = [], command = entry } = workload.pod.containers[0]!;
  const { runAsUser } = workload.pod.securityContext!;
  const options: ContainerOptions = {
    root,
    configuration: { ...(await buildah.configurationOf(base)), Cmd: [...command, ...args] },
    hostsFile,
    logFile: join(folder, `trial-${name}.log`),
    user: `${runAsUser}:${runAsUser}`,
    volumes: await volumesOf(workload, folder),
  };
  const server = (await Container.of(options)).start({ ...variablesOf(workload), ...environment }, 'own');
  const beside = await Container.of({ ...options, besidePid: server.pid });
  try {
    await eventually(() => beside.exec(['node', '-e', probe]).then(() => true), { timeoutMs: 30_000, pollMs: 300 });
    return server;
  } catch (error) {
    await server.stop();
    throw new Error(`${name} of the trial is not ready:\n${await readFile(options.logFile, 'utf8')}`, { cause: error });
  }
}

/** Runs the bucket job twice, and once with a wrong key. */
async function makeBucket(job: Workload, server: ServerProcess, { buildah, hostsFile, folder }: Place): Promise<void> {
  const image = 'tire-inspection/assets:local';
  const container = await Container.of({
    root: await buildah.mounted(image),
    configuration: await buildah.configurationOf(image),
    hostsFile,
    logFile: join(folder, 'trial-bucket.log'),
    besidePid: server.pid,
  });
  const { command = [] } = job.pod.containers[0]!;
  const variables = { ...variablesOf(job), OBJECT_STORE_S3_ENDPOINT: 'http://127.0.0.1:8333' };
  for (let time = 0; time < 2; time += 1) await container.exec(command, variables);
  await container.exec(command, { ...variables, OBJECT_STORE_S3_SECRET_KEY: 'another' }).then(
    () => Promise.reject(new Error('SeaweedFS of the trial accepts any key')),
    () => undefined,
  );
}

/** Starts the servers of the trial with the arguments, environment, user and read-only root of their StatefulSets. */
export async function checkTrial(place: Place): Promise<void> {
  const manifests = await render({
    environment: 'trial',
    host: 'tire.localhost',
    devDependencies: { enabled: true },
    database: { existingSecret: 'tire-database' },
    objectStore: { bucket: 'tire', existingSecret: 'tire-s3' },
    nats: { usersSecret: 'tire-nats' },
    serviceIdentity: { existingSecret: 'tire-services' },
  });
  const named = (name: string) => workloads(ofKind(manifests, 'StatefulSet', 'Job')).find(({ manifest }) => component(manifest) === name)!;
  for (const name of ['postgres', 'nats'] as const) {
    const server = await step(`${name} of the trial is ready`, () => startServer(name, named(name), place));
    await server.stop();
  }
  const binary = await ensureWeedBinary(CACHE).catch(({ message }: Error) => console.log(`  SKIPPED, seaweedfs of the trial: ${message}`));
  if (!binary) return;
  const weed = await step('seaweedfs of the trial is ready', () => startServer('seaweedfs', named('seaweedfs'), place));
  try {
    await step('its bucket is made', () => makeBucket(named('bucket'), weed, place));
  } finally {
    await weed.stop();
  }
}
