import { launch, type ServerProcess } from '@tire/test-harness';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageConfiguration } from './buildah';
import { run } from './commands';

/**
 * What a container runtime does, as far as it matters to our processes: the image as the root, read-only, a /tmp of its own, the user of
 * the image, no capability and no way to gain one. The network is that of this machine.
 */
const ENTER = `
set -eu
root=$1 hosts=$2 volumes=$3; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$hosts" "$root/etc/hosts"
for volume in $volumes; do mount --bind "\${volume%%:*}" "$root\${volume#*:}"; done
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
exec chroot "$root" "$@"
`;

const CONFINED = ['--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];

export interface ContainerOptions {
  /** The image's files. */
  readonly root: string;
  readonly configuration: ImageConfiguration;
  readonly hostsFile: string;
  readonly logFile: string;
  /** folder:place of what is written. */
  readonly volumes?: readonly string[];
  readonly user?: string;
}

/** An image whose processes run here. */
export class Container {
  private constructor(private readonly options: ContainerOptions) {}

  /** The places of mounts are in no image; a runtime makes them too. */
  static async of(options: ContainerOptions): Promise<Container> {
    for (const volume of options.volumes ?? []) await mkdir(join(options.root, volume.split(':')[1]!), { recursive: true });
    await mkdir(join(options.root, 'etc'), { recursive: true });
    await writeFile(join(options.root, 'etc/hosts'), '');
    return new Container(options);
  }

  /** The image's own command, until it is stopped. */
  start(environment: Readonly<Record<string, string>>): ServerProcess {
    const { Entrypoint, Cmd } = this.options.configuration;
    const args = this.entering(environment, [...(Entrypoint ?? []), ...(Cmd ?? [])]);
    return launch({ command: 'unshare', args, logFile: this.options.logFile, stopSignal: 'SIGTERM' });
  }

  /** Another command, to its end. */
  exec(command: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
    return run('unshare', this.entering(environment, command));
  }

  private entering(environment: Readonly<Record<string, string>>, command: readonly string[]): string[] {
    const { root, hostsFile, volumes = [], configuration, user = configuration.User ?? '' } = this.options;
    const [uid, gid] = user.split(':');
    const variables = [...(configuration.Env ?? []), ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
    return [
      ...['--mount', 'sh', '-c', ENTER, 'enter', root, hostsFile, volumes.join(' ')],
      ...['env', '-i', `--chdir=${configuration.WorkingDir ?? '/'}`, ...variables],
      ...(uid === '0' ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...CONFINED]),
      ...command,
    ];
  }
}
