import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '../paths';
import { run } from './commands';

export interface ImageConfiguration {
  readonly User?: string;
  readonly Env?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Entrypoint?: readonly string[] | null;
  readonly WorkingDir?: string;
  readonly Labels?: Readonly<Record<string, string>>;
  readonly ExposedPorts?: Readonly<Record<string, object>>;
}

const AUTHORITIES = '/run/authorities.pem';

/** The npm configuration and certificates of the build machine. They are mounted for RUN commands and are in no image. */
async function npmOfThisMachine(folder: string): Promise<string[]> {
  const settings = join(homedir(), '.npmrc');
  const cafile = await run('npm', ['config', 'get', 'cafile'], { cwd: folder });
  const authorities = process.env['NODE_EXTRA_CA_CERTS'] ?? /^\/.*$/m.exec(cafile)?.[0];
  await writeFile(join(folder, 'npmrc'), authorities ? `cafile=${AUTHORITIES}\n` : '');
  return [
    ...(existsSync(settings) ? ['--volume', `${settings}:/root/.npmrc:ro`] : []),
    ...(authorities
      ? ['--volume', `${authorities}:${AUTHORITIES}:ro`, '--volume', `${join(folder, 'npmrc')}:/usr/local/etc/npmrc:ro`]
      : []),
  ];
}

/** Debian's buildah with its own store. It builds a Dockerfile as root, without a daemon, each command in a chroot. */
export class Buildah {
  private constructor(
    private readonly folder: string,
    private readonly npm: readonly string[],
  ) {}

  static async in(folder: string): Promise<Buildah> {
    await mkdir(folder, { recursive: true });
    // Nothing is pulled, so signatures are not checked.
    await writeFile(join(folder, 'policy.json'), JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
    await writeFile(join(folder, 'registries.conf'), 'unqualified-search-registries = []\n');
    return new Buildah(folder, await npmOfThisMachine(folder));
  }

  /** Its output without the newline. */
  async call(command: string, ...args: string[]): Promise<string> {
    const store = ['--root', join(this.folder, 'store'), '--runroot', join(this.folder, 'run'), '--storage-driver', driver()];
    const registries = ['--registries-conf', join(this.folder, 'registries.conf')];
    const policy = ['build', 'commit', 'from', 'push'].includes(command) ? ['--signature-policy', join(this.folder, 'policy.json')] : [];
    return (await run('buildah', [...store, ...registries, command, ...policy, ...args], { cwd: REPOSITORY_ROOT })).trim();
  }

  /** Runs a command in a container, as in a build. */
  runIn = (container: string, ...command: string[]): Promise<string> =>
    this.call('run', '--isolation', 'chroot', ...this.npm, container, '--', ...command);

  /** Builds as the README does, with another base image. */
  async build(options: {
    tag: string;
    args: Record<string, string>;
    base: string;
    target?: string;
    dockerfile?: string;
    context?: string;
  }): Promise<void> {
    const { tag, args, base, target, dockerfile = 'deploy/Dockerfile', context = '.' } = options;
    const given = Object.entries({ ...args, NODE_IMAGE: base, CUDA_IMAGE: base });
    await this.call(
      ...(['build', '--isolation', 'chroot', '--pull-never', '--layers'] as const),
      ...this.npm,
      ...given.flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      ...(target ? ['--target', target] : []),
      ...['-f', dockerfile, '-t', tag, context],
    );
  }

  digestOf = (image: string): Promise<string> => this.call('inspect', '--type', 'image', '--format', '{{.FromImageDigest}}', image);

  async configurationOf(image: string): Promise<ImageConfiguration> {
    const { OCIv1 } = JSON.parse(await this.call('inspect', '--type', 'image', image)) as { OCIv1: { config: ImageConfiguration } };
    return OCIv1.config;
  }

  /** Mounts the files of an image until the store is removed. */
  async mounted(image: string): Promise<string> {
    return this.call('mount', await this.call('from', '--pull-never', image));
  }

  /** Unmounts everything, so that the folder can be removed. */
  async close(): Promise<void> {
    await this.call('umount', '--all');
    await this.call('rm', '--all');
  }
}

const driver = (): string => (/\boverlay$/m.test(readFileSync('/proc/filesystems', 'utf8')) ? 'overlay' : 'vfs');
