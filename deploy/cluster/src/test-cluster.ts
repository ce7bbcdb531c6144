import { ensureHelm, ensureKubectl, step } from '@tire/chart';
import { findExecutable } from '@tire/test-harness';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBinaries } from './binaries';
import { CHECKS } from './checks';
import { startClient } from './client';
import { Enforcement } from './enforcement';
import { buildImages, SERVERS } from './images';
import { install, type Images } from './installation';
import { Node } from './node';
import { CACHE, HERE, REGISTRY, REPOSITORY_ROOT } from './places';
import { type Shell, shellOf, shellWith } from './shell';
import { type Row, table } from './table';

/**
 * `npm run test:cluster` brings up a Kubernetes node in namespaces of its own, installs the chart by the commands of its README and runs
 * the checks. `-- --kubeconfig FILE --registry REGISTRY` does so on a cluster that exists.
 */

const NEEDED = ['bash', 'openssl', 'jq', 'psql', 'shred', 'base64'];
const NEEDED_FOR_A_NODE = ['go', 'apt-get', 'dpkg', 'buildah', 'debootstrap', 'setpriv', 'unshare', 'nsenter', 'ip'];

async function requirePrograms(names: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const name of names) if (!(await findExecutable(name))) missing.push(name);
  if (missing.length > 0) throw new Error(`these programs are needed: ${missing.join(', ')}`);
}

/** kubectl and helm under their names. */
async function layTools(folder: string): Promise<string> {
  const cache = join(REPOSITORY_ROOT, '.local/cache');
  const tools = join(folder, 'tools');
  await mkdir(tools, { recursive: true });
  for (const [name, file] of [['kubectl', await ensureKubectl(cache)] as const, ['helm', await ensureHelm(cache)] as const]) {
    await copyFile(file, join(tools, name));
    await chmod(join(tools, name), 0o755);
  }
  return tools;
}

async function timed(check: string, work: () => Promise<string>): Promise<Row> {
  const began = performance.now();
  const row = await work().then(
    (detail) => ({ passed: true, detail }),
    (error: Error) => ({
      passed: false,
      detail: [error.message, error.cause ? String((error.cause as Error).message ?? error.cause) : ''].filter(Boolean).join(': '),
    }),
  );
  const result = { check, ...row, seconds: (performance.now() - began) / 1000 };
  console.log(`  ${result.passed ? 'passed' : 'FAILED'}: ${check}: ${result.detail}`);
  return result;
}

async function runChecks(shell: Shell, images: Images): Promise<boolean> {
  const measured = /uploaded, measured and published/;
  const rows = [
    await timed("installation by the chart's README, and helm test", async () => {
      const output = await install(shell, images);
      if (!measured.test(output)) throw new Error(output);
      return 'a report of four images was measured and published';
    }),
  ];
  if (rows[0]!.passed) {
    await startClient(shell, images.registry);
    for (const { name, run: check } of CHECKS) rows.push(await timed(name, () => check(shell)));
  }
  const versions =
    await shell.run(`kubectl version -o json | jq -r '"kubectl " + .clientVersion.gitVersion + ", Kubernetes " + .serverVersion.gitVersion'
helm version --short
kubectl get nodes -o jsonpath='{range .items[*]}{.status.nodeInfo.containerRuntimeVersion}, {.status.nodeInfo.kernelVersion}{"\\n"}{end}'`);
  console.log(`\n${table(rows)}\n\n${new Date().toISOString().slice(0, 10)}: ${versions.trim().split('\n').join(', ')}`);
  return rows.every(({ passed }) => passed);
}

async function onOwnNode(folder: string): Promise<boolean> {
  await requirePrograms([...NEEDED, ...NEEDED_FOR_A_NODE]);
  if (process.getuid!() !== 0) throw new Error('a node of its own needs root on Linux; --kubeconfig FILE uses a cluster that exists');
  const binaries = await ensureBinaries();
  const archives = await buildImages(binaries, folder);
  const run = join(folder, 'node');
  const node = await step('the node', async () => Node.start(binaries, await layTools(folder), run));
  const enforcement = new Enforcement(node, run);
  try {
    await step('the images are imported', () => node.import(archives));
    const dns = join(HERE, 'manifests/coredns.yaml');
    await step('DNS', () => node.run(`kubectl apply -f ${dns}\nkubectl -n kube-system rollout status deployment/coredns --timeout=120s`));
    return await runChecks(shellOf(join(folder, 'installation'), node.inside), { registry: REGISTRY, servers: SERVERS });
  } finally {
    await enforcement.stop();
    await node.stop();
  }
}

/** The images of Postgres, NATS and SeaweedFS are those of the chart's trial. */
async function onCluster(folder: string, kubeconfig: string, registry: string): Promise<boolean> {
  await requirePrograms(NEEDED);
  const values = await readFile(join(REPOSITORY_ROOT, 'helm/tire-inspection/values.yaml'), 'utf8');
  const imageOf = (name: string): string => new RegExp(`^  ${name}Image: (.+)$`, 'm').exec(values)![1]!;
  const servers = { postgres: imageOf('postgres'), nats: imageOf('nats'), seaweedfs: imageOf('seaweedfs') };
  return runChecks(shellWith(join(folder, 'installation'), resolve(kubeconfig), await layTools(folder)), { registry, servers });
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { kubeconfig: { type: 'string' }, registry: { type: 'string' }, keep: { type: 'boolean' } } });
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'run-'));
  try {
    if (values.kubeconfig === undefined) return await onOwnNode(folder);
    if (values.registry === undefined) throw new Error('--kubeconfig needs --registry: the registry with the six images of this version');
    return await onCluster(folder, values.kubeconfig, values.registry);
  } finally {
    if (values.keep) console.log(`logs: ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}

main().then(
  (passed) => process.exit(passed ? 0 : 1),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
