import { findExecutable } from '@tire/test-harness';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeCgroups } from './node';
import { CACHE } from './places';
import { onCluster, onOwnNode, type Options } from './targets';

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

function optionsOf(): Options {
  const word = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    kubeconfig: word,
    registry: word,
    image: { ...word, multiple: true },
    only: word,
    full: flag,
    keep: flag,
    node: flag,
  } as const;
  const { values } = parseArgs({ options });
  if (values.kubeconfig !== undefined && values.registry === undefined)
    throw new Error('--kubeconfig needs --registry: the registry with the six images of this version');
  if (values.kubeconfig === undefined && process.getuid!() !== 0)
    throw new Error('a node of its own needs root on Linux; --kubeconfig FILE uses a cluster that exists');
  if (values.full && values.kubeconfig !== undefined) throw new Error('--full builds operators for a node of its own');
  return { ...values, only: new RegExp(values.only ?? ''), full: values.full ?? false };
}

async function main(): Promise<boolean> {
  const options = optionsOf();
  const inside = process.env[FOLDER];
  if (inside) return onOwnNode(inside, options);
  await requirePrograms(options.kubeconfig === undefined ? [...NEEDED, ...NEEDED_FOR_A_NODE] : NEEDED);
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'run-'));
  try {
    return await (options.kubeconfig === undefined ? inNamespaces(folder) : onCluster(folder, options));
  } finally {
    if (options.keep) console.log(`logs: ${folder}`);
    else await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 300 });
  }
}

main().then(
  (passed) => process.exit(passed ? 0 : 1),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
