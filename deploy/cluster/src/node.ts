import { run } from '@tire/chart';
import { eventually } from '@tire/test-harness';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certifyCluster } from './authorities';
import type { Binaries } from './binaries';
import { HERE } from './places';

const READY_MS_MAX = 120_000;
const CONFIGURATION = ['containerd.toml', 'kubelet.yaml', 'proxy.yaml', 'resolv.conf', 'cni/10-pods.conflist'];
/** cgroups are files of the machine: those of the kubelet stay when its processes end, one for each controller. */
const CGROUPS = '/sys/fs/cgroup';

/** A Kubernetes node in namespaces of its own: no process, mount, interface or route outside. It ends when its first process ends. */
export class Node {
  private constructor(
    private readonly first: ChildProcess,
    private readonly pid: number,
    private readonly tools: string,
    private readonly kubeconfig: string,
  ) {}

  static async start(binaries: Binaries, tools: string, folder: string): Promise<Node> {
    await certifyCluster(join(folder, 'pki'));
    await mkdir(join(folder, 'config/cni'), { recursive: true });
    for (const name of CONFIGURATION) {
      const text = await readFile(join(HERE, 'node', name), 'utf8');
      await writeFile(join(folder, 'config', name), text.replaceAll('@RUN@', folder));
    }
    const log = await open(join(folder, 'node.log'), 'w');
    const namespaces = ['--mount', '--net', '--pid', '--uts', '--ipc', '--fork', '--kill-child', '--mount-proc'];
    // However this process ends, the node ends with it.
    const first = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...namespaces, 'bash', join(HERE, 'node/start.sh')], {
      env: { ...process.env, PATH: `${tools}:${process.env['PATH']}`, BIN: binaries.kubernetes, DEBIAN: binaries.debian, RUN: folder },
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    const children = () => readFile(`/proc/${first.pid}/task/${first.pid}/children`, 'utf8');
    const pid = Number(await eventually(async () => (await children()).trim() || false, { timeoutMs: 10_000 }));
    const node = new Node(first, pid, tools, join(folder, 'pki/admin.kubeconfig'));
    try {
      const registered = () => node.run('kubectl get node node1 -o name').then(Boolean, () => false);
      await eventually(registered, { timeoutMs: READY_MS_MAX, pollMs: 500, message: 'The node does not register' });
    } catch (error) {
      await node.stop();
      throw error;
    }
    return node;
  }

  /** The words before a command that runs inside. */
  get inside(): readonly string[] {
    const environment = [`KUBECONFIG=${this.kubeconfig}`, `PATH=${this.tools}:${process.env['PATH']}`];
    return ['nsenter', '-t', String(this.pid), '-m', '-n', '-p', '-u', '-i', 'env', ...environment];
  }

  run = (script: string): Promise<string> => {
    const [program, ...words] = this.inside;
    return run(program!, [...words, 'bash', '-euo', 'pipefail', '-c', script]);
  };

  async import(archives: readonly string[]): Promise<void> {
    for (const file of archives) await this.run(`ctr -a /run/containerd/containerd.sock -n k8s.io images import ${file} > /dev/null`);
  }

  async stop(): Promise<void> {
    const ended = once(this.first, 'close');
    process.kill(this.pid, 'SIGKILL');
    await ended;
    for (const place of ['', ...(await readdir(CGROUPS))]) await removeCgroups(join(CGROUPS, place, 'kubepods'));
  }
}

async function removeCgroups(folder: string): Promise<void> {
  const inner = await run('find', [folder, '-mindepth', '0', '-depth', '-type', 'd']).catch(() => '');
  for (const path of inner.split('\n').filter(Boolean)) await rmdir(path).catch(() => undefined);
}
