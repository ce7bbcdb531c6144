import { run } from '@tire/chart';
import { eventually } from '@tire/test-harness';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { certifyCluster } from './authorities';
import type { Binaries } from './binaries';
import { HERE } from './places';

const READY_MS_MAX = 120_000;
const CONFIGURATION = ['containerd.toml', 'kubelet.yaml', 'proxy.yaml', 'resolv.conf', 'cni/10-pods.conflist'];
const CGROUPS = '/sys/fs/cgroup';

/** The cgroup of a run's pods has the name of its folder. */
const cgroupOf = (folder: string): string => `tire-cluster-${basename(folder)}`;

/** A Kubernetes node in namespaces of its own: no interface and no route outside. It ends with this process. */
export class Node {
  private constructor(
    private readonly pid: number,
    private readonly tools: string,
    private readonly kubeconfig: string,
  ) {}

  /** `folder` is below the folder of the run. */
  static async start(binaries: Binaries, tools: string, folder: string): Promise<Node> {
    const cgroup = cgroupOf(dirname(folder));
    await certifyCluster(join(folder, 'pki'));
    await mkdir(join(folder, 'config/cni'), { recursive: true });
    for (const name of CONFIGURATION) {
      const text = await readFile(join(HERE, 'node', name), 'utf8');
      await writeFile(join(folder, 'config', name), text.replaceAll('@RUN@', folder).replaceAll('@CGROUP@', cgroup));
    }
    const log = await open(join(folder, 'node.log'), 'w');
    const namespaces = ['--mount', '--net', '--pid', '--uts', '--ipc', '--fork', '--kill-child', '--mount-proc'];
    const first = spawn('unshare', [...namespaces, 'bash', join(HERE, 'node/start.sh')], {
      env: {
        ...process.env,
        PATH: `${tools}:${process.env['PATH']}`,
        ...{ BIN: binaries.kubernetes, DEBIAN: binaries.debian, RUN: folder, CGROUP: cgroup },
      },
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    const children = () => readFile(`/proc/${first.pid}/task/${first.pid}/children`, 'utf8');
    const pid = Number(await eventually(async () => (await children()).trim() || false, { timeoutMs: 10_000 }));
    const node = new Node(pid, tools, join(folder, 'pki/admin.kubeconfig'));
    const isThere = () => node.run('kubectl get node node1 -o name').then(Boolean, () => false);
    await eventually(isThere, {
      timeoutMs: READY_MS_MAX,
      pollMs: 500,
      message: `The node does not register; its logs are in ${folder}/log`,
    });
    return node;
  }

  /** The words before a command that runs inside. */
  get inside(): readonly string[] {
    return this.enteredFrom(String(this.pid));
  }

  /** The same for a process that has another number for the first process of the node. */
  enteredFrom(pid: string): readonly string[] {
    const environment = [`KUBECONFIG=${this.kubeconfig}`, `PATH=${this.tools}:${process.env['PATH']}`];
    return ['nsenter', '-t', pid, '-m', '-n', '-p', '-u', '-i', 'env', ...environment];
  }

  run = (script: string): Promise<string> => {
    const [program, ...words] = this.inside;
    return run(program!, [...words, 'bash', '-euo', 'pipefail', '-c', script]);
  };

  async import(archives: readonly string[]): Promise<void> {
    for (const file of archives) await this.run(`ctr -a /run/containerd/containerd.sock -n k8s.io images import ${file} > /dev/null`);
  }
}

/** Removes the cgroups of a run that has ended. They are files of the machine, one tree for each controller, and no namespace ends with them. */
export async function removeCgroups(folder: string): Promise<void> {
  const name = cgroupOf(folder);
  const trees = ['', ...(await readdir(CGROUPS))].map((controller) => join(CGROUPS, controller, name)).filter(existsSync);
  for (const tree of trees) {
    const found = await run('find', [tree, '-depth', '-type', 'd']);
    for (const path of found.split('\n').filter(Boolean)) await eventually(() => rmdir(path).then(() => true), { timeoutMs: 20_000 });
  }
}
