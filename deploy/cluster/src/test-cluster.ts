import { ensureHelm, ensureKubectl, step } from '@tire/chart';
import { findExecutable } from '@tire/test-harness';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBinaries } from './binaries';
import { CHECKS } from './checks';
import { Cluster } from './cluster';
import { enforcePolicies } from './enforcement';
import { buildImages, SERVERS } from './images';
import { install, prepareFolder, type Servers } from './installation';
import { Node, removeCgroups } from './node';
import { CACHE, HERE, REGISTRY, REPOSITORY_ROOT } from './places';
import { bucketJob, followNotes, installTrial, uninstallTrial } from './trial';

/**
 * `npm run test:cluster` brings up a Kubernetes node in namespaces of its own, installs the chart by the commands of its README and runs
 * the checks. `-- --kubeconfig FILE --registry REGISTRY` does so on a cluster that exists.
 */

const NEEDED = ['bash', 'openssl', 'jq', 'shred', 'base64'];
const NEEDED_FOR_A_NODE = ['go', 'apt-get', 'dpkg', 'buildah', 'debootstrap', 'setpriv', 'unshare', 'nsenter', 'ip', 'ldd', 'psql'];
/** The folder of a run, in a process that was started again in namespaces of its own. */
const FOLDER = 'TIRE_CLUSTER_FOLDER';

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

class Table {
  private readonly rows: string[] = [];
  private failed = 0;

  /** Runs a check. Returns whether it passed. */
  async check(name: string, work: () => Promise<string>): Promise<boolean> {
    const began = performance.now();
    const [passed, detail] = await work().then(
      (text) => [true, text] as const,
      (error: Error) => [false, error.cause ? `${error.message}: ${String((error.cause as Error).message)}` : error.message] as const,
    );
    const result = passed ? 'passed' : 'FAILED';
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`  ${result}: ${name} (${seconds} s): ${detail}`);
    const cells = [name, result, seconds, detail].map((cell) => cell.replaceAll('|', '/').replaceAll(/\s+/g, ' ').trim());
    this.rows.push(`| ${cells.join(' | ')} |`);
    if (!passed) this.failed += 1;
    return passed;
  }

  get allPassed(): boolean {
    return this.failed === 0;
  }

  /** Markdown, for the chart's README. */
  print = (versions: string): string => `| check | result | seconds | |\n|---|---|---|---|\n${this.rows.join('\n')}\n\n${versions}\n`;
}

async function versionsOf(cluster: Cluster): Promise<string> {
  const { serverVersion } = await cluster.json<{ serverVersion: { gitVersion: string } }>('kubectl version');
  const helm = (await cluster.run('helm version --template "{{ .Version }}"')).trim();
  const nodes = `{range .items[*]}{.status.nodeInfo.containerRuntimeVersion}, Linux {.status.nodeInfo.kernelVersion}{"\\n"}{end}`;
  const kinds = new Set((await cluster.run(`kubectl get nodes -o jsonpath='${nodes}'`)).trim().split('\n'));
  return `${new Date().toISOString().slice(0, 10)}: Kubernetes ${serverVersion.gitVersion}, Helm ${helm}, ${[...kinds].join('; ')}.`;
}

async function runAll(cluster: Cluster, servers: Servers, only: RegExp): Promise<boolean> {
  await prepareFolder(cluster);
  const table = new Table();
  if (only.test('trial') && (await table.check('the trial by its commands, size try-out', () => installTrial(cluster, servers)))) {
    await table.check('its bucket job', () => bucketJob(cluster));
    await table.check('the commands of the notes', () => followNotes(cluster));
    await table.check('its uninstallation', () => uninstallTrial(cluster));
  }
  const installed = await table.check('the nine steps of production, size small', async () => {
    const output = await install(cluster, servers);
    if (!/uploaded, measured and published/.test(output)) throw new Error(output);
    await cluster.startClient();
    return 'helm test measured four photographs';
  });
  if (installed) for (const [name, run] of CHECKS) if (only.test(name)) await table.check(name, () => run(cluster));
  const text = table.print(await versionsOf(cluster));
  const file = join(REPOSITORY_ROOT, '.local/cluster-checks.md');
  await writeFile(file, text);
  console.log(`\n${text}\nThe table is also in ${file}`);
  return table.allPassed;
}

async function onOwnNode(folder: string, only: RegExp): Promise<boolean> {
  const binaries = await ensureBinaries();
  const archives = await buildImages(binaries);
  const run = join(folder, 'node');
  const node = await step('the node', async () => Node.start(binaries, await layTools(folder), run));
  await step('the images are imported', () => node.import(archives));
  const manifests = ['coredns', 'volumes'].map((name) => join(HERE, 'manifests', `${name}.yaml`));
  await step('DNS', () => node.run(`${manifests.map((file) => `sed 's|@RUN@|${run}|' ${file} | kubectl apply -f -\n`).join('')}
    kubectl -n kube-system rollout status deployment/coredns --timeout=120s`));
  void enforcePolicies(node, run);
  return runAll(new Cluster(join(folder, 'installation'), node.inside, REGISTRY), SERVERS, only);
}

/** The images of Postgres, NATS and SeaweedFS are those of the chart's trial. */
async function onCluster(folder: string, kubeconfig: string, registry: string, only: RegExp): Promise<boolean> {
  const values = await readFile(join(REPOSITORY_ROOT, 'helm/tire-inspection/values.yaml'), 'utf8');
  const imageOf = (name: string): string => new RegExp(`^  ${name}Image: (.+)$`, 'm').exec(values)![1]!;
  const servers = { postgres: imageOf('postgres'), nats: imageOf('nats'), seaweedfs: imageOf('seaweedfs') };
  const before = ['env', `KUBECONFIG=${resolve(kubeconfig)}`, `PATH=${await layTools(folder)}:${process.env['PATH']}`];
  return runAll(new Cluster(join(folder, 'installation'), before, registry), servers, only);
}

/**
 * Starts this program again in namespaces of its own (process ids and mounts). Whatever happens to it, nothing of it goes on and nothing stays
 * mounted: its first process is killed, and the kernel ends the others.
 */
async function inNamespaces(folder: string): Promise<boolean> {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...namespaces, ...again], {
    env: { ...process.env, [FOLDER]: folder },
    stdio: 'inherit',
    // A terminal would send its interrupt to the processes inside as well.
    detached: true,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill('SIGKILL'));
  const [code] = (await once(child, 'close')) as [number | null];
  await removeCgroups(folder);
  return code === 0;
}

async function main(): Promise<boolean> {
  const options = { kubeconfig: { type: 'string' }, registry: { type: 'string' }, keep: { type: 'boolean' }, only: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const only = new RegExp(values.only ?? '');
  const inside = process.env[FOLDER];
  if (inside) return onOwnNode(inside, only);
  if (values.kubeconfig !== undefined && values.registry === undefined)
    throw new Error('--kubeconfig needs --registry: the registry with the six images of this version');
  await requirePrograms(values.kubeconfig === undefined ? [...NEEDED, ...NEEDED_FOR_A_NODE] : NEEDED);
  if (values.kubeconfig === undefined && process.getuid!() !== 0)
    throw new Error('a node of its own needs root on Linux; --kubeconfig FILE uses a cluster that exists');
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'run-'));
  try {
    if (values.kubeconfig === undefined) return await inNamespaces(folder);
    return await onCluster(folder, values.kubeconfig, values.registry!, only);
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
