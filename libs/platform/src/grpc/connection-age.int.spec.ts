import { experimental, type ServerUnaryCall } from '@grpc/grpc-js';
import { Controller, Inject, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod } from '@nestjs/microservices';
import { type contentApi, GRPC_SERVICES } from '@tire/contracts/grpc';
import { eventually, freePort } from '@tire/test-harness';
import { grpcClient } from './client';
import { grpcServerOptions } from './server';

/**
 * Short enough that connections end in the middle of calls every second. On a machine that is very busy, shorter ages end two
 * connections under one call, which grpc-js sends again once only.
 */
const AGE_MS = 1_000;
const CONNECTIONS = 6;
const CALLERS = 16;

let handled: { readonly id: string; readonly port: number; readonly connection: string }[] = [];
let held: Promise<void> = Promise.resolve();

const connections = (): number => new Set(handled.map(({ connection }) => connection)).size;

@Controller()
class DiscardingController {
  constructor(@Inject('port') private readonly port: number) {}

  @GrpcMethod('ContentService', 'DiscardReport')
  async discardReport({ reportId: id }: contentApi.DiscardReportRequest, _metadata: unknown, call: ServerUnaryCall<unknown, unknown>) {
    handled.push({ id, port: this.port, connection: call.getPeer() });
    if (id === 'held') await held;
    return {};
  }
}

class PodModule {}

/** The addresses behind one name, as DNS returns them for a headless service. */
const addresses: number[] = [];

class Pods implements experimental.Resolver {
  constructor(
    _target: unknown,
    private readonly listener: experimental.ResolverListener,
  ) {}

  updateResolution(): void {
    const endpoints = addresses.map((port) => ({ addresses: [{ host: '127.0.0.1', port }] }));
    setImmediate(() => this.listener(experimental.statusOrFromValue(endpoints), {}, null, ''));
  }

  destroy(): void {
    addresses.length = 0;
  }

  static getDefaultAuthority(): string {
    return 'pods';
  }
}

describe('a connection that reaches its maximum age', () => {
  const servers: INestMicroservice[] = [];
  const clients: { onApplicationShutdown(): void }[] = [];

  async function pod(): Promise<number> {
    const port = await freePort();
    const module = { module: PodModule, controllers: [DiscardingController], providers: [{ provide: 'port', useValue: port }] };
    const options = { services: [GRPC_SERVICES.content], host: '127.0.0.1', port, onServer: () => undefined, connectionAgeMs: AGE_MS };
    const server = await NestFactory.createMicroservice(module, { ...grpcServerOptions(options), logger: false });
    await server.listen();
    servers.push(server);
    return port;
  }

  function clientOf(address: string) {
    const client = grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, address);
    clients.push(client);
    return (reportId: string) => client.discardReport({ projectId: 'p', reportId });
  }

  beforeEach(() => {
    handled = [];
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.onApplicationShutdown();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  it('fails no call and repeats none, because these calls may not be sent twice', async () => {
    const discard = clientOf(`127.0.0.1:${await pod()}`);
    let sent = 0;
    const caller = async (): Promise<void> => {
      while (connections() < CONNECTIONS) await discard(`report-${(sent += 1)}`);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    expect(handled).toHaveLength(sent);
    expect(new Set(handled.map(({ id }) => id)).size).toBe(sent);
  });

  it('lets a call in flight finish', async () => {
    const discard = clientOf(`127.0.0.1:${await pod()}`);
    let release: () => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    const slow = discard('held');
    await eventually(async () => {
      await discard('other');
      return connections() >= 3;
    });
    release();
    await expect(slow).resolves.toEqual({});
    expect(handled.filter(({ id }) => id === 'held')).toHaveLength(1);
  });

  it('makes the client resolve new pods and call them', async () => {
    experimental.registerResolver('pods', Pods);
    addresses.push(await pod());
    const discard = clientOf('pods:///content');
    await discard('first');
    const added = await pod();
    addresses.push(added);
    await eventually(async () => {
      await discard('next');
      return handled.some(({ port }) => port === added);
    });
  });
});
