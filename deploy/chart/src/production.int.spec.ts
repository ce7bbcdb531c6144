import { eventually, freePort, NODE_ARGUMENTS } from '@tire/test-harness';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { configuration } from './configuration';
import { ensureNodeOfImages } from './node-of-images';
import { CACHE, REPOSITORY_ROOT } from './paths';

const run = promisify(execFile);
/** The apps with the most special files. PRODUCTION_APPS names others; test:long checks all. */
const APPS = (process.env['PRODUCTION_APPS'] ?? 'gateway,inference').split(',');

/** Unreachable addresses. A service listens and is live without its dependencies. */
const VALUES: Record<string, string> = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  NATS_URL: 'nats://127.0.0.1:1',
  PUBLIC_API_URL: 'https://tire.example.com/api/v1',
  SHARE_BASE_URL: 'https://tire.example.com',
  OBJECT_STORE: 's3',
  OBJECT_STORE_S3_ENDPOINT: 'http://127.0.0.1:1',
  OBJECT_STORE_S3_BUCKET: 'tire',
  OBJECT_STORE_S3_ACCESS_KEY: 'a',
  OBJECT_STORE_S3_SECRET_KEY: 'b',
  OBJECT_STORE_PUBLIC_ORIGIN: 'https://s3.example.com',
  SERVICE_PRIVATE_KEY: Buffer.alloc(32).toString('base64'),
  SERVICE_PUBLIC_KEYS: `gateway:${Buffer.alloc(32).toString('base64')}`,
  SEALING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  CONSOLE_SECRET_KEY: `k1:${Buffer.alloc(32).toString('base64')}`,
};

/** Files that are loaded on demand, in another thread, or for other Node versions. A service starts without them. */
const LOADED_LATE = ['sharp', 'onnxruntime-node', '@node-rs/argon2', 'openid-client'];

const environmentOf = (app: string, ports: { http: number; operations: number; grpc: number }): NodeJS.ProcessEnv => {
  const callees = configuration()[app]!.filter(({ name }) => name.endsWith('_GRPC_URL'));
  return {
    ...VALUES,
    ...Object.fromEntries(callees.map(({ name }) => [name, '127.0.0.1:1'])),
    HTTP_PORT: String(ports.http),
    OPERATIONS_PORT: String(ports.operations),
    GRPC_PORT: String(ports.grpc),
    HTTP_HOST: '127.0.0.1',
    GRPC_HOST: '127.0.0.1',
  };
};

describe('the contents of an image', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  let node: string;

  beforeAll(async () => {
    node = await ensureNodeOfImages(CACHE);
    await run(process.execPath, ['deploy/build.mjs'], { cwd: REPOSITORY_ROOT });
  });

  beforeEach(async () => {
    // Outside the repository, so that Node does not find its node_modules.
    folder = await mkdtemp(join('/var/tmp', 'tire-production-'));
  });

  afterEach(async () => {
    child?.kill('SIGKILL');
    child = undefined;
    await rm(folder, { recursive: true });
  });

  it.each(['ledger', 'assets', 'content', 'share'])('%s can be laid: no file of its tests is among its programs', async (app) => {
    await run(process.execPath, ['deploy/production.mjs', app, join(folder, 'app')], { cwd: REPOSITORY_ROOT });
    const files = await readdir(join(folder, 'app/dist/apps', app, 'src'), { recursive: true });
    expect(files).toContain('main.js');
    expect(files.filter((name) => name.includes('any-car.fixture'))).toEqual([]);
  });

  it.each(APPS)('%s and its migration run from its folder alone', async (app) => {
    const target = join(folder, 'app');
    await run(process.execPath, ['deploy/production.mjs', app, target], { cwd: REPOSITORY_ROOT });
    const ports = { http: await freePort(), operations: await freePort(), grpc: await freePort() };
    child = spawn(node, [...NODE_ARGUMENTS, 'main.js'], {
      cwd: target,
      env: environmentOf(app, ports),
      stdio: 'pipe',
    });
    let output = '';
    child.stdout!.on('data', (bytes: Buffer) => (output += bytes));
    child.stderr!.on('data', (bytes: Buffer) => (output += bytes));
    const isAlive = () => fetch(`http://127.0.0.1:${ports.operations}/health/live`).then(({ ok }) => ok);
    const ended = () => child!.exitCode !== null;
    await eventually(() => ended() || isAlive(), { timeoutMs: 60_000, message: `${app} does not answer` });
    if (ended()) throw new Error(`${app} ended: ${output}`);
    expect(await (await fetch(`http://127.0.0.1:${ports.operations}/metrics`)).text()).toContain('tire_process_memory_bytes');
    if (app === 'gateway') {
      const page = await fetch(`http://127.0.0.1:${ports.http}/docs/ko/quick-start`);
      expect([page.status, (await page.text()).includes(`TIRE_BASE_URL=${VALUES.PUBLIC_API_URL}`)]).toEqual([200, true]);
    }
    if (app !== 'inference') {
      const migrating = run(node, [`dist/apps/${app}/src/migrate.js`], { cwd: target, env: {} });
      await expect(migrating).rejects.toThrow(/MIGRATION_DATABASE_URL: required/);
    }
    // Only the PDF thread loads them, so a process starts without them.
    if (app === 'share') await run(node, ['-e', `require('./dist/apps/share/src/pdf/fonts.js')`], { cwd: target, env: {} });
    // --enable-source-maps needs them.
    const ours = (await readdir(join(target, 'dist'), { recursive: true })).filter((name) =>
      /^(apps|libs)\/[^/]+\/src\/.*\.js(\.map)?$/.test(name),
    );
    expect(ours.filter((name) => name.endsWith('.js') && !ours.includes(`${name}.map`))).toEqual([]);
    const { dependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    for (const name of LOADED_LATE) if (name in dependencies) await run(node, ['-e', `import('${name}')`], { cwd: target, env: {} });
    expect(Object.keys(dependencies).includes('onnxruntime-node')).toBe(app === 'inference');
    expect(Object.keys(dependencies).includes('minio')).toBe(['assets', 'inference'].includes(app));
    expect(Object.keys(dependencies).includes('openid-client')).toBe(app === 'gateway');
  });

  it('is listed in the SBOM: packages, downloaded files and the base image', async () => {
    const target = join(folder, 'app');
    await run(process.execPath, ['deploy/production.mjs', 'inference', target], { cwd: REPOSITORY_ROOT });
    const provider = join(target, 'node_modules/onnxruntime-node/bin/libonnxruntime_providers_cuda.so');
    await writeFile(provider, 'cuda');
    const image = `docker.io/library/node:24@sha256:${'a'.repeat(64)}`;
    await run(process.execPath, ['deploy/sbom.mjs', target, image], { cwd: REPOSITORY_ROOT });
    const { components } = JSON.parse(await readFile(join(target, 'sbom.cdx.json'), 'utf8')) as { components: object[] };
    const listed = (component: object) => expect(components).toContainEqual(expect.objectContaining(component));
    listed({ type: 'library', name: 'onnxruntime-node' });
    listed({ type: 'container', name: 'docker.io/library/node:24', hashes: [{ alg: 'SHA-256', content: 'a'.repeat(64) }] });
    const content = createHash('sha256').update('cuda').digest('hex');
    listed({ type: 'file', name: 'libonnxruntime_providers_cuda.so', hashes: [{ alg: 'SHA-256', content }] });
    expect(await readFile(join(REPOSITORY_ROOT, 'deploy/Dockerfile'), 'utf8')).toContain('RUN node deploy/sbom.mjs /app ');
  });

  it('has the layout and the start command of the Dockerfile, with the same Node', async () => {
    const dockerfile = await readFile(join(REPOSITORY_ROOT, 'deploy/Dockerfile'), 'utf8');
    const { stdout: version } = await run(node, ['--version']);
    expect(dockerfile).toContain(`/node:${/^v(\d+)/.exec(version)![1]}-bookworm-slim@`);
    expect(dockerfile).toContain('RUN node deploy/build.mjs\n');
    expect(dockerfile).toContain('RUN node deploy/production.mjs "$APP" /app\n');
    const begun = [...dockerfile.matchAll(/^CMD (.*)$/gm)].map(([, command]) => JSON.parse(command!) as string[]);
    expect(begun).toEqual([1, 2].map(() => ['node', ...NODE_ARGUMENTS, 'main.js']));
    expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER 10001:10001', 'USER 10001:10001']);
    expect(dockerfile).toMatch(/AS runtime-cuda\nARG APP\n.*\nARG VARIANT=cpu\nRUN test "\$VARIANT" = cuda\n/);
    for (const image of dockerfile.matchAll(/^ARG \w+_IMAGE=(.*)$/gm)) expect(image[1]).toMatch(/@sha256:[0-9a-f]{64}$/);
    for (const stage of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(stage[1]).toMatch(/^(\$\{\w+_IMAGE\}|source)$/);
  });
});
