import { ensureHelm, ensureKubectl, step } from '@tire/chart';
import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureBinaries } from './binaries';
import { Cluster } from './cluster';
import { enforcePolicies } from './enforcement';
import { buildImages, SERVERS } from './images';
import { NAMESPACES, prepareFolder } from './installation';
import { Node } from './node';
import { ensureOperators, imagesOf, layOperators } from './operators';
import { HERE, REGISTRY, REPOSITORY_ROOT } from './places';
import { runChecks, type Wanted } from './run-checks';

export interface Options extends Wanted {
  readonly kubeconfig?: string;
  readonly registry?: string;
  readonly image?: readonly string[];
  readonly keep?: boolean;
  readonly node?: boolean;
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

export async function onOwnNode(folder: string, { node: isNodeOnly, ...wanted }: Options): Promise<boolean> {
  const binaries = await ensureBinaries();
  const operators = wanted.full ? imagesOf(await ensureOperators()) : () => [];
  const archives = await buildImages(binaries, operators);
  const run = join(folder, 'node');
  const node = await step('the node', async () => Node.start(binaries, await layTools(folder), run));
  await step('the images are imported', () => node.import(archives));
  const manifests = ['coredns', 'volumes'].map((name) => join(HERE, 'manifests', `${name}.yaml`));
  await step('DNS', () =>
    node.run(`${manifests.map((file) => `sed 's|@RUN@|${run}|' ${file} | kubectl apply -f -\n`).join('')}
      kubectl -n kube-system rollout status deployment/coredns --timeout=120s`),
  );
  void enforcePolicies(node, run);
  if (!isNodeOnly) {
    const cluster = new Cluster(join(folder, 'installation'), node.inside, REGISTRY);
    await prepareFolder(cluster);
    if (wanted.full) await layOperators(join(cluster.folder, 'operators'));
    // A signal ends the node with everything in it.
    return runChecks(cluster, SERVERS, wanted, () => false);
  }
  console.log(
    `The node runs until you press ctrl-C. Its shell:\n  ${node.enteredFrom("$(pgrep -f '^bash .*/node/start.sh')").join(' ')} bash`,
  );
  return new Promise<never>(() => setInterval(() => undefined, 2 ** 30));
}

/** The images of Postgres, NATS and SeaweedFS are those of the chart's trial, or `--image postgres=NAME`. */
export async function onCluster(folder: string, { kubeconfig, registry, image = [], keep, ...wanted }: Options): Promise<boolean> {
  const values = await readFile(join(REPOSITORY_ROOT, 'helm/tire-inspection/values.yaml'), 'utf8');
  const imageOf = (name: string): string => new RegExp(`^  ${name}Image: (.+)$`, 'm').exec(values)![1]!;
  const before = ['env', `KUBECONFIG=${resolve(kubeconfig!)}`, `PATH=${await layTools(folder)}:${process.env['PATH']}`];
  const cluster = new Cluster(join(folder, 'installation'), before, registry!);
  await prepareFolder(cluster);
  const existing = await cluster.run(`kubectl get namespace ${NAMESPACES.join(' ')} --ignore-not-found -o name`);
  if (existing) throw new Error(`the cluster has these namespaces already: ${existing.trim().split('\n').join(', ')}`);
  let stopped = false;
  // The check that runs comes to its end first: what it does beside the deletion could make a namespace again.
  const stop = (signal: string): void => {
    stopped = true;
    console.log(`${signal}: the check that runs is the last one`);
  };
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => process.once(signal, stop));
  try {
    const own = Object.fromEntries(image.map((one) => one.split('=', 2)));
    const servers = { postgres: imageOf('postgres'), nats: imageOf('nats'), seaweedfs: imageOf('seaweedfs'), ...own };
    return await runChecks(cluster, servers, wanted, () => stopped);
  } finally {
    if (!keep) await cluster.run(`kubectl delete namespace ${NAMESPACES.join(' ')} --ignore-not-found`);
  }
}
