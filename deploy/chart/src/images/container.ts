import { launch, type ServerProcess } from '@tire/test-harness';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageConfiguration } from './buildah';
import { run } from './commands';

/**
 * The parts of a container runtime that matter to our processes: the image as a read-only root, a private /tmp, the user of the image, no
 * capabilities and no way to gain them. The network is that of this machine, or an empty network namespace.
 */
const ENTER = `
set -eu
root=$1 hosts=$2 volumes=$3 network=$4; shift 4
[ "$network" != own ] || ip link set lo up
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$hosts" "$root/etc/hosts"
for volume in $volumes; do mount --bind "\${volume%%:*}" "$root$(chroot "$root" realpath "\${volume#*:}")"; done
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
exec chroot "$root" "$@"
`;

const CONFINED = ['--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];

export interface ContainerOptions {
  /** The files of the image. */
  readonly root: string;
  readonly configuration: ImageConfiguration;
  readonly hostsFile: string;
  readonly logFile: string;
  /** folder:mount point of writable data. */
  readonly volumes?: readonly string[];
  readonly user?: string;
  /** The process whose network namespace is used. */
  readonly besidePid?: number;
}

/** An image whose processes run on this machine. */
export class Container {
  private constructor(private readonly options: ContainerOptions) {}

  /** Creates the mount points, as a container runtime does. Links are resolved inside the image. */
  static async of(options: ContainerOptions): Promise<Container> {
    const places = (options.volumes ?? []).map((volume) => volume.split(':')[1]!);
    if (places.length > 0) await run('chroot', [options.root, 'mkdir', '-p', ...places]);
    await writeFile(join(options.root, 'etc/hosts'), '');
    return new Container(options);
  }

  /** Runs the image's command until it is stopped. */
  start(environment: Readonly<Record<string, string>>, network: 'shared' | 'own' = 'shared'): ServerProcess {
    const { Entrypoint, Cmd } = this.options.configuration;
    const args = this.entering(environment, [...(Entrypoint ?? []), ...(Cmd ?? [])], network);
    return launch({ command: 'unshare', args, logFile: this.options.logFile, stopSignal: 'SIGTERM' });
  }

  /** Runs another command to its end. */
  exec(command: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const { besidePid } = this.options;
    const beside = besidePid === undefined ? [] : ['nsenter', '--target', String(besidePid), '--net'];
    const [program, ...args] = [...beside, 'unshare', ...this.entering(environment, command, 'shared')];
    return run(program!, args);
  }

  private entering(environment: Readonly<Record<string, string>>, command: readonly string[], network: 'shared' | 'own'): string[] {
    const { root, hostsFile, volumes = [], configuration, user = configuration.User ?? '' } = this.options;
    const [uid, gid] = user.split(':');
    const variables = [...(configuration.Env ?? []), ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
    return [
      ...(network === 'own' ? ['--net'] : []),
      ...['--mount', 'sh', '-c', ENTER, 'enter', root, hostsFile, volumes.join(' '), network],
      ...['env', '-i', `--chdir=${configuration.WorkingDir ?? '/'}`, ...variables],
      ...(uid === '0' ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...CONFINED]),
      ...command,
    ];
  }
}
