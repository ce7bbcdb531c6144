import { run, step } from '@tire/chart';
import { findExecutable } from '@tire/test-harness';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, HERE, VERSIONS } from './places';

/** Packages with the programs of a node and the libraries that a minimal Debian does not have. They are unpacked, not installed. */
const PACKAGES = [
  ...['containerd', 'runc', 'containernetworking-plugins', 'etcd-server', 'nftables', 'iptables', 'conntrack', 'socat', 'ipset', 'kmod'],
  ...['libip4tc2', 'libip6tc2', 'libxtables12', 'libnftnl11', 'libnftables1', 'libmnl0', 'libipset13', 'libkmod2', 'libwrap0'],
  ...['libnetfilter-conntrack3', 'libnfnetlink0'],
];

const KUBERNETES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'];
const VERSION_FLAGS = [
  `gitVersion=v${VERSIONS.kubernetes}`,
  ...['gitMajor=1', `gitMinor=${VERSIONS.kubernetes.split('.')[1]}`, 'gitTreeState=clean'],
].map((value) => `-X k8s.io/component-base/version.${value}`);

/** Makes a folder completely or not at all, so that an interrupted run leaves nothing half-built. */
export async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const destination = join(CACHE, name);
  if (existsSync(destination)) return destination;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'making-'));
  try {
    await make(folder);
    await rename(folder, destination);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return destination;
}

export async function build(module: string, folder: string, packages: readonly string[], flags: readonly string[] = []): Promise<void> {
  if (!(await findExecutable('go'))) throw new Error('Go is needed to build the programs of the cluster');
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=readonly' };
  const linker = ['-s', '-w', ...flags].join(' ');
  await run('go', ['build', '-trimpath', '-ldflags', linker, '-o', `${folder}/`, ...packages], { cwd: join(HERE, 'go', module), env });
}

async function unpackPackages(folder: string): Promise<void> {
  const archives = join(folder, 'archives');
  await mkdir(archives);
  await run('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', ...PACKAGES], { cwd: archives });
  for (const file of await readdir(archives)) await run('dpkg', ['-x', join(archives, file), folder]);
  await rm(archives, { recursive: true });
  // On the running system /lib and /sbin are links into /usr.
  for (const part of ['lib', 'sbin', 'bin']) {
    if (!existsSync(join(folder, part))) continue;
    await cp(join(folder, part), join(folder, 'usr', part), { recursive: true, verbatimSymlinks: true });
  }
}

export interface Binaries {
  readonly kubernetes: string;
  readonly coredns: string;
  readonly pause: string;
  readonly debian: string;
}

/** Each from the cache, or built. Kubernetes takes 13 minutes of CPU. */
export const ensureBinaries = async (): Promise<Binaries> => ({
  debian: await step('containerd, runc and etcd of Debian', () => once('debian-1', unpackPackages)),
  pause: await step('pause', () => once('pause-1', (folder) => build('pause', folder, ['.']))),
  coredns: await step(`CoreDNS ${VERSIONS.coredns}`, () =>
    once(`coredns-${VERSIONS.coredns}`, (folder) => build('coredns', folder, ['.'])),
  ),
  kubernetes: await step(`Kubernetes ${VERSIONS.kubernetes}`, () =>
    once(`kubernetes-${VERSIONS.kubernetes}`, (folder) =>
      build(
        'kubernetes',
        folder,
        KUBERNETES.map((program) => `k8s.io/kubernetes/cmd/${program}`),
        VERSION_FLAGS,
      ),
    ),
  ),
});
