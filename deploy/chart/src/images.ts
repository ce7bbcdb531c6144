import { brokerUsers } from '@tire/contracts/events';
import { ensureNatsBinary, freePort, Unavailable, startNatsServer, startPostgres } from '@tire/test-harness';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { baseImage, smallBaseImage } from './images/base-image';
import { Buildah } from './images/buildah';
import { run, step } from './images/commands';
import { composeServices, type ComposeService } from './images/compose-file';
import { checkImage } from './images/image-checks';
import { requireWhatBuilds } from './images/requirements';
import { ComposedSystem } from './images/system';
import { checkTrial } from './images/trial';
import { ensureNodeOfImages } from './node-of-images';
import { CACHE, CHART, REPOSITORY_ROOT } from './paths';

/**
 * `npm run check:images` builds deploy/Dockerfile for every app with buildah, and runs the services of compose.yaml from these images
 * until a report is measured and published. Then it starts the servers of the chart's trial as its manifests define them. It needs no
 * image registry: the base image is built from Debian and npm packages. The CUDA image is not built, because its base image is available
 * from a registry only.
 */

/** A folder on disk that other users may enter. */
const PARENT = '/var/tmp';

/**
 * The short form, `npm run check:image`, builds and inspects the image of one app and starts nothing else. The folder that the image holds
 * is made on this machine, so packages are not installed a second time: it builds the last stage of the Dockerfile only, on an image that
 * holds Node without Debian.
 */
const ONLY_APP = process.env['CHECK_IMAGES_ONLY'];

/** The Dockerfile with a ready folder `app` instead of the stages that make it. */
async function lastStageOnly(): Promise<string> {
  const [args, ...stages] = (await readFile(join(REPOSITORY_ROOT, 'deploy/Dockerfile'), 'utf8')).split(/^(?=FROM )/m);
  return [args, 'FROM ${NODE_IMAGE} AS production\nCOPY app /app\n\n', stages.at(-1)].join('');
}

async function buildOne(buildah: Buildah, image: string, args: Record<string, string>, base: string, folder: string): Promise<void> {
  const context = join(folder, 'context');
  await mkdir(context);
  await run(process.execPath, ['deploy/production.mjs', ONLY_APP!, join(context, 'app')], { cwd: REPOSITORY_ROOT });
  await run(process.execPath, ['deploy/sbom.mjs', join(context, 'app'), base], { cwd: REPOSITORY_ROOT });
  const dockerfile = join(folder, 'Dockerfile');
  await writeFile(dockerfile, await lastStageOnly());
  await step(`${image} is built`, () => buildah.build({ tag: image, args, base, dockerfile, context }));
  await checkImage(buildah, image, { app: ONLY_APP!, base, folder });
}

async function buildAll(buildah: Buildah, services: ReadonlyMap<string, ComposeService>, folder: string): Promise<string> {
  const node = await ensureNodeOfImages(CACHE);
  const base = ONLY_APP
    ? await step('the image below, of Node alone', () => smallBaseImage(buildah, folder, node))
    : await step('the image below, of Debian and Node', () => baseImage(buildah, folder, node));
  const builds = new Map([...services.values()].map(({ image, build }) => [image, build!.args]));
  for (const [image, args] of builds) {
    if (ONLY_APP) {
      if (args.APP === ONLY_APP) await buildOne(buildah, image, args, base, folder);
      continue;
    }
    await step(`${image} is built`, () => buildah.build({ tag: image, args, base }));
    await checkImage(buildah, image, { app: args.APP, base, folder });
  }
  if (ONLY_APP) return base;
  const refused = buildah.build({ tag: 'refused', args: { APP: 'inference' }, base, target: 'runtime-cuda' });
  await refused.then(
    () => Promise.reject(new Error('runtime-cuda was built without the provider of CUDA')),
    () => undefined,
  );
  return base;
}

type Secrets = Readonly<Record<string, string>>;

/** Creates the databases as compose.yaml does, with psql and the same script. */
const makeDatabases = (port: number, secrets: Secrets): Promise<string> => {
  const roles = Object.entries(secrets).map(([name, value]) => [name.replace(/^TIRE_/, ''), value]);
  return run('sh', [join(REPOSITORY_ROOT, 'deploy/compose/databases.sh')], {
    env: {
      ...process.env,
      ...Object.fromEntries(roles),
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGPASSWORD: secrets['TIRE_DATABASE_PASSWORD']!,
    },
  });
};

async function firstReport(system: ComposedSystem): Promise<void> {
  const admin = async (...args: string[]): Promise<Record<string, string>> =>
    JSON.parse(await system.exec('gateway', ['node', 'dist/apps/gateway/src/admin.js', ...args, '--json'])) as Record<string, string>;
  const { id: organization } = await admin('create-organization', '--name', 'Example');
  const { id: project } = await admin('create-project', '--organization', organization!, '--mode', 'test', '--name', 'Test');
  const { key } = await admin('create-key', '--project', project!, '--scopes', 'report:*', '--name', 'first');
  const variables = { API_URL: 'http://gateway:8080/api/v1', API_KEY: key!, DEADLINE_SECONDS: '120' };
  let output = '';
  for (const [name, script] of [
    ['gateway', 'test.js'],
    ['inference', 'test-measured.js'],
  ] as const) {
    const scripts = await Promise.all(['test-call.js', script].map((file) => readFile(join(CHART, 'files', file), 'utf8')));
    output = await system.exec(name, ['node', '-e', scripts.join('\n')], variables);
    process.stdout.write(output.replace(/^/gm, '    ').trimEnd() + '\n');
  }
  const page = new URL(/published at (\S+)$/m.exec(output)![1]!).pathname;
  for (const [url, kind] of [
    [`${system.urlOf('share')}${page}`, 'text/html'],
    [`${system.urlOf('share')}${page}.pdf`, 'application/pdf'],
    [`${system.urlOf('gateway')}/console/`, 'text/html'],
  ] as const) {
    const answer = await fetch(url);
    if (!answer.ok || !answer.headers.get('content-type')?.startsWith(kind)) throw new Error(`${url} answered ${answer.status}`);
  }
}

async function runAll(buildah: Buildah, services: ReadonlyMap<string, ComposeService>, folder: string, secrets: Secrets): Promise<void> {
  const password = secrets['TIRE_DATABASE_PASSWORD']!;
  const [postgresPort, natsPort] = [await freePort(), await freePort()];
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), port: postgresPort, durable: false, password });
  const nats = await startNatsServer({
    binary: await ensureNatsBinary(CACHE),
    storeDir: join(folder, 'nats'),
    port: natsPort,
    configuration: brokerUsers((name) => JSON.stringify(secrets[`TIRE_NATS_${name.toUpperCase()}_PASSWORD`])),
  });
  try {
    await makeDatabases(postgresPort, secrets);
    const system = await ComposedSystem.of(buildah, services, { folder, postgresPort, natsPort });
    try {
      await step('migrations', async () => void (await Promise.all(system.jobs.map((name) => system.exec(name)))));
      await step('six services are ready', () => system.start());
      await step('a first report', () => firstReport(system));
    } catch (error) {
      await system.stop().catch(() => undefined);
      throw new Error(`${(error as Error).message}\n${await system.lastLogLines()}`, { cause: error });
    }
    await step('they stop on their stop signal', () => system.stop());
  } finally {
    await nats.stop();
    await postgres.stop();
  }
}

async function main(): Promise<void> {
  await requireWhatBuilds(PARENT);
  const folder = await mkdtemp(join(PARENT, 'tire-images-'));
  const buildah = await Buildah.in(join(folder, 'buildah'));
  const secrets = parseEnv(await run('sh', [join(REPOSITORY_ROOT, 'deploy/compose/secrets.sh')])) as Secrets;
  const services = composeServices(secrets);
  try {
    const base = await buildAll(buildah, services, folder);
    if (ONLY_APP) return;
    await runAll(buildah, services, folder, secrets);
    const hostsFile = join(folder, 'no-hosts');
    await writeFile(hostsFile, '127.0.0.1 localhost\n');
    await checkTrial({ buildah, base, folder, hostsFile });
  } finally {
    // An earlier failure is the one to report.
    await buildah.close().catch((error: Error) => console.error(error.message));
    await rm(folder, { recursive: true, force: true }).catch((error: Error) => console.error(error.message));
  }
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    if (error instanceof Unavailable) {
      console.log(`SKIPPED, no image is built: ${error.message}`);
      process.exit(0);
    }
    console.error(`\nThe images are not as they should be: ${error.message}`);
    process.exit(1);
  },
);
