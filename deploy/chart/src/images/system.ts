import { eventually, type ServerProcess } from '@tire/test-harness';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Buildah } from './buildah';
import type { ComposeService } from './compose-file';
import { Container } from './container';

export interface Servers {
  readonly folder: string;
  readonly postgresPort: number;
  readonly natsPort: number;
}

/** Each service gets a loopback address of its own, because all use the same ports. */
const addressOf = (index: number): string => `127.83.0.${index + 1}`;

const READY_TIMEOUT_MS = 90_000;
const COMPLETED = 'service_completed_successfully';

/** Runs the services of compose.yaml from their images. Postgres and NATS are processes of this machine. */
export class ComposedSystem {
  private readonly containers = new Map<string, Container>();
  private readonly addresses: ReadonlyMap<string, string>;
  private readonly running = new Map<string, ServerProcess>();

  private constructor(
    private readonly services: ReadonlyMap<string, ComposeService>,
    private readonly around: Servers,
  ) {
    this.addresses = new Map([...services.keys()].map((name, index) => [name, addressOf(index)]));
  }

  static async of(buildah: Buildah, services: ReadonlyMap<string, ComposeService>, around: Servers): Promise<ComposedSystem> {
    const system = new ComposedSystem(services, around);
    await writeFile(join(around.folder, 'hosts'), system.hosts());
    for (const [name, service] of services) system.containers.set(name, await system.containerOf(buildah, name, service));
    return system;
  }

  /** Commands that must end before other services start. */
  get jobs(): string[] {
    const conditions = [...this.services.values()].flatMap(({ depends_on = {} }) => Object.entries(depends_on));
    return [...new Set(conditions.filter(([, { condition }]) => condition === COMPLETED).map(([name]) => name))];
  }

  get servers(): string[] {
    return [...this.services.keys()].filter((name) => !this.jobs.includes(name));
  }

  urlOf = (name: string): string => `http://${this.addresses.get(name)}:${this.environmentOf(name)['HTTP_PORT'] ?? 8080}`;

  /** Its own command, or another command with its environment. */
  exec(name: string, command = this.services.get(name)!.command, more: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.containers.get(name)!.exec(command!, { ...this.environmentOf(name), ...more });
  }

  async start(): Promise<void> {
    for (const name of this.servers) this.running.set(name, this.containers.get(name)!.start(this.environmentOf(name)));
    await Promise.all(this.servers.map((name) => this.ready(name)));
  }

  /** Stops them with their stop signal. */
  async stop(): Promise<void> {
    const ended = [...this.running].map(async ([name, process]) => {
      await process.stop();
      const { code, signal } = await process.exited;
      return code === 0 ? [] : [`${name} ended with ${signal ?? `code ${code}`}`];
    });
    this.running.clear();
    const badly = (await Promise.all(ended)).flat();
    if (badly.length > 0) throw new Error(badly.join(', '));
  }

  /** The last lines of their logs. */
  async lastLogLines(): Promise<string> {
    const end = async (name: string) =>
      `${name}:\n${(await readFile(this.logOf(name), 'utf8').catch(() => '')).split('\n').slice(-12).join('\n')}`;
    return (await Promise.all(this.servers.map(end))).join('\n');
  }

  private async ready(name: string): Promise<void> {
    const process = this.running.get(name)!;
    let ended = false;
    void process.exited.finally(() => (ended = true)).catch(() => undefined);
    const isReady = () => fetch(`http://${this.addresses.get(name)}:9464/health/ready`).then(({ ok }) => ok);
    await eventually(() => ended || isReady(), { timeoutMs: READY_TIMEOUT_MS, message: `${name} is not ready` }).catch(
      () => (ended = true),
    );
    if (ended) throw new Error(`${name} is not ready`);
  }

  private async containerOf(buildah: Buildah, name: string, { image, user, volumes = [] }: ComposeService): Promise<Container> {
    const [volume, place] = volumes[0]?.split(':') ?? [];
    const kept = volume ? join(this.around.folder, volume) : undefined;
    if (kept) await mkdir(kept, { recursive: true });
    return Container.of({
      root: await buildah.mounted(image),
      configuration: await buildah.configurationOf(image),
      hostsFile: join(this.around.folder, 'hosts'),
      logFile: this.logOf(name),
      user,
      volumes: kept ? [`${kept}:${place}`] : [],
    });
  }

  private logOf = (name: string): string => join(this.around.folder, `${name}.log`);

  private environmentOf(name: string): Record<string, string> {
    const host = this.addresses.get(name)!;
    const given = Object.entries(this.services.get(name)!.environment ?? {}).map(([variable, value]) => [
      variable,
      String(value)
        .replace('@postgres:5432', `@postgres:${this.around.postgresPort}`)
        .replace('//nats:4222', `//nats:${this.around.natsPort}`),
    ]);
    return { ...Object.fromEntries(given), HTTP_HOST: host, GRPC_HOST: host };
  }

  private hosts(): string {
    const lines = [...this.services].map(([name, { networks = {} }]) => {
      const aliases = Object.values(networks).flatMap((network) => network.aliases);
      return `${this.addresses.get(name)} ${[name, ...aliases].join(' ')}`;
    });
    return ['127.0.0.1 localhost postgres nats', ...lines, ''].join('\n');
  }
}
