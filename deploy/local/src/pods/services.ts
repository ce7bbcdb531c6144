import { launch, NODE_ARGUMENTS, type ServerProcess } from '@tire/test-harness';
import { join } from 'node:path';
import { nodeProgram } from '../programs';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';
import { SERVICES, type Ports, type ServiceName } from '../topology';
import { Endpoint } from './endpoint';
import { PodNames } from './names';

/** Shorter than in the chart, because callers here cache the addresses of pods for two seconds. An old pod serves them that long. */
const DRAIN_DELAY_MS = 3_000;
const PROPAGATION_MS = 1_000;
const READY_DEADLINE_MS = 120_000;

interface Pod {
  readonly process: ServerProcess;
  readonly address: string;
}

/** How many pods each service has. */
export type Replicas = Readonly<Record<ServiceName, number>>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Callers resolve a name to the addresses of the ready pods. */
function byName(environment: Record<string, string>, { grpc }: Ports): Record<string, string> {
  const named = ([variable, value]: [string, string]): [string, string] => {
    const callee = /^(\w+)_GRPC_URL$/.exec(variable)?.[1]?.toLowerCase() as ServiceName | undefined;
    return [variable, callee ? `${callee}.pods:${grpc[callee]}` : value];
  };
  return Object.fromEntries(Object.entries(environment).map(named));
}

/**
 * The six services as a cluster runs them: pods with separate addresses, gRPC over headless names, HTTP through an ingress. A rolling
 * update replaces them one by one: a new pod is ready before an old one stops.
 */
export class PodServices {
  private readonly pods = new Map<ServiceName, Pod[]>();
  private readonly ingress = new Map<ServiceName, Endpoint>();
  private readonly names = new PodNames(join(stackDir(), 'pods.json'));
  private launched = 0;

  constructor(
    private readonly ports: Ports,
    private readonly environment: Record<ServiceName, Record<string, string>>,
  ) {}

  async start(build: string, replicas: Replicas): Promise<void> {
    for (const name of SERVICES) this.ingress.set(name, new Endpoint(this.ports.http[name]));
    await Promise.all([...this.ingress.values()].map((endpoint) => endpoint.listen()));
    await Promise.all(SERVICES.map((name) => Promise.all(Array.from({ length: replicas[name] }, () => this.addPod(name, build)))));
  }

  async replace(name: ServiceName, build: string): Promise<void> {
    for (const old of [...(this.pods.get(name) ?? [])]) {
      await this.addPod(name, build);
      await this.removePod(name, old);
    }
  }

  /** The processes of all pods. The first one of a service has its name, the next ones a number too. */
  get pids(): Record<string, number> {
    const named = ([name, pods]: [ServiceName, Pod[]]) =>
      pods.map(({ process }, index) => [index === 0 ? name : `${name} ${index + 1}`, process.pid] as const);
    return Object.fromEntries([...this.pods].flatMap(named));
  }

  /** How many connections came to each pod of a service through its ingress. */
  connectionsOf(name: ServiceName): number[] {
    const { accepted } = this.ingress.get(name)!;
    return (this.pods.get(name) ?? []).map(({ address }) => accepted.get(address) ?? 0);
  }

  /** The reasons of broken connections, with the name of the service. */
  get faults(): string[] {
    return [...this.ingress].flatMap(([name, { faults }]) => faults.map((fault) => `${name}: ${fault}`));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.pods.values()].flat().map(({ process }) => process.stop()));
    for (const endpoint of this.ingress.values()) endpoint.close();
  }

  private async addPod(name: ServiceName, build: string): Promise<void> {
    this.launched += 1;
    const address = `127.0.${1 + Math.floor(this.launched / 250)}.${1 + (this.launched % 250)}`;
    const process = launch({
      command: globalThis.process.execPath,
      args: [...NODE_ARGUMENTS, '--require', join(REPOSITORY_ROOT, 'deploy/local/names.cjs'), nodeProgram(name, 'main.js', build)],
      logFile: join(stackDir(), 'logs', `${name}.log`),
      stopSignal: 'SIGTERM',
      env: {
        ...byName(this.environment[name], this.ports),
        POD_NAMES_FILE: this.names.file,
        HTTP_HOST: address,
        GRPC_HOST: address,
        DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
      },
    });
    const pod = { process, address };
    this.pods.set(name, [...(this.pods.get(name) ?? []), pod]);
    await this.untilReady(name, pod);
    this.ingress.get(name)?.add(address);
    this.names.add(`${name}.pods`, address);
  }

  private async removePod(name: ServiceName, pod: Pod): Promise<void> {
    const ended = pod.process.stop();
    await pause(PROPAGATION_MS);
    this.ingress.get(name)?.remove(pod.address);
    this.names.remove(`${name}.pods`, pod.address);
    await ended;
    this.pods.set(
      name,
      (this.pods.get(name) ?? []).filter((other) => other !== pod),
    );
    const { code, signal } = await pod.process.exited;
    if (code !== 0) throw new Error(`${name} did not drain: ${signal ?? `code ${code}`}`);
  }

  private async untilReady(name: ServiceName, { address }: Pod): Promise<void> {
    const deadlineMs = Date.now() + READY_DEADLINE_MS;
    const isReady = () =>
      fetch(`http://${address}:${this.ports.operations[name]}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) {
      if (Date.now() > deadlineMs) throw new Error(`${name} is not ready: see ${join(stackDir(), 'logs', `${name}.log`)}`);
      await pause(100);
    }
  }
}
