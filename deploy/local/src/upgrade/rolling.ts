import { freePort, launch, type ServerProcess } from '@tire/test-harness';
import { join } from 'node:path';
import { nodeProgram } from '../programs';
import { stackDir } from '../stack-file';
import { SERVICES, type Ports, type ServiceName } from '../topology';
import { Endpoint } from './endpoint';

/** As in the chart: an old pod is still called while the news of its end goes round. */
const DRAIN_DELAY_MS = 3_000;
const NEWS_MS = 1_000;
const READY_DEADLINE_MS = 120_000;

interface Instance {
  readonly process: ServerProcess;
  readonly httpPort: number;
  readonly grpcPort: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function untilServing({ httpPort }: Instance, name: string): Promise<void> {
  const deadlineMs = Date.now() + READY_DEADLINE_MS;
  const isReady = () =>
    fetch(`http://127.0.0.1:${httpPort}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (Date.now() > deadlineMs) throw new Error(`${name} is not ready: see ${join(stackDir(), 'logs', `${name}.log`)}`);
    await pause(100);
  }
}

/** The six services behind addresses that stay, each replaced as a rolling update does it: the new one ready before the old one goes. */
export class RollingServices {
  private readonly running = new Map<ServiceName, Instance>();
  private readonly http = new Map<ServiceName, Endpoint>();
  private readonly grpc = new Map<ServiceName, Endpoint>();

  constructor(
    private readonly ports: Ports,
    private readonly environment: Record<ServiceName, Record<string, string>>,
  ) {}

  async start(): Promise<void> {
    for (const name of SERVICES) {
      this.http.set(name, new Endpoint(this.ports.http[name]));
      this.grpc.set(name, new Endpoint(this.ports.grpc[name]));
    }
    await Promise.all([...this.http.values(), ...this.grpc.values()].map((endpoint) => endpoint.listen()));
    await Promise.all(SERVICES.map(async (name) => this.admit(name, await this.launchOne(name))));
  }

  async replace(name: ServiceName): Promise<void> {
    const old = this.running.get(name);
    await this.admit(name, await this.launchOne(name));
    if (!old) return;
    const ended = old.process.stop();
    await pause(NEWS_MS);
    this.http.get(name)?.remove(old.httpPort);
    this.grpc.get(name)?.remove(old.grpcPort);
    await ended;
    const { code, signal } = await old.process.exited;
    if (code !== 0) throw new Error(`${name} did not drain: ${signal ?? `code ${code}`}`);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ process }) => process.stop()));
    for (const endpoint of [...this.http.values(), ...this.grpc.values()]) endpoint.close();
  }

  private async launchOne(name: ServiceName): Promise<Instance> {
    const [httpPort, grpcPort] = [await freePort(), await freePort()];
    const process = launch({
      command: globalThis.process.execPath,
      args: ['--enable-source-maps', nodeProgram(name, 'main.js')],
      logFile: join(stackDir(), 'logs', `${name}.log`),
      stopSignal: 'SIGTERM',
      env: {
        ...this.environment[name],
        HTTP_PORT: String(httpPort),
        GRPC_PORT: String(grpcPort),
        DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
      },
    });
    return { process, httpPort, grpcPort };
  }

  private async admit(name: ServiceName, instance: Instance): Promise<void> {
    await untilServing(instance, name);
    this.http.get(name)?.add(instance.httpPort);
    this.grpc.get(name)?.add(instance.grpcPort);
    this.running.set(name, instance);
  }
}
