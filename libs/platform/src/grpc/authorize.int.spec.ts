import { credentials, makeGenericClientConstructor, status } from '@grpc/grpc-js';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type contentApi, GRPC_SERVICES } from '@tire/contracts/grpc';
import { eventually, freePort } from '@tire/test-harness';
import { service as healthService } from 'grpc-health-check';
import { startService } from '../service/run-service';
import { grpcClient, type PromiseClient } from './client';
import { CallSigner, CallVerifier, publicKeyOf } from './identity';

const SEEDS = { gateway: Buffer.alloc(32, 1), share: Buffer.alloc(32, 2), assets: Buffer.alloc(32, 3), stranger: Buffer.alloc(32, 4) };
const keyOf = (name: keyof typeof SEEDS) => publicKeyOf(SEEDS[name]).toString('base64');

type Client = PromiseClient<contentApi.ContentServiceClient> & { onApplicationShutdown(): void };

let calls = 0;

@Controller()
class Content {
  @GrpcMethod('ContentService', 'GetContentRevision')
  getContentRevision(): contentApi.GetContentRevisionResponse {
    calls += 1;
    return { contentJson: Buffer.from('{}'), etag: '', locales: [] };
  }
}

@Module({ controllers: [Content] })
class ContentModule {}

describe.each(['required', 'accepted'] as const)('calls of services, where a token is %s', (GRPC_AUTH) => {
  const clients: Client[] = [];
  let app: NestFastifyApplication;
  let address: string;

  beforeAll(async () => {
    const port = await freePort();
    address = `127.0.0.1:${port}`;
    const SERVICE_PUBLIC_KEYS = `gateway:${keyOf('gateway')},assets:${keyOf('assets')},gateway:${keyOf('share')}`;
    const config = { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0, GRPC_HOST: '127.0.0.1', GRPC_PORT: port, GRPC_AUTH, SERVICE_PUBLIC_KEYS };
    app = await startService({ name: 'content', module: () => ContentModule, grpc: [GRPC_SERVICES.content] }, config);
  });

  afterAll(async () => {
    for (const client of clients) client.onApplicationShutdown();
    await app?.close();
  });

  const clientOf = (signer?: CallSigner): Client => {
    const client = grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, address, { signer });
    clients.push(client);
    return client;
  };
  /** OK, or the status with which the server refuses. The method must not run then. */
  const outcomeOf = async (client: Client): Promise<string> => {
    const before = calls;
    const outcome = await client.getContentRevision({ projectId: 'p', reportId: 'r', contentRevision: 'c' }).then(
      () => 'OK',
      (error: { cause: { code: status } }) => status[error.cause.code],
    );
    expect(calls - before).toBe(outcome === 'OK' ? 1 : 0);
    return outcome!;
  };

  it('with the key of a service that may make them are answered, more than once', async () => {
    const gateway = clientOf(new CallSigner('gateway', SEEDS.gateway));
    expect(await outcomeOf(gateway)).toBe('OK');
    expect(await outcomeOf(gateway)).toBe('OK');
  });

  it('with either key of a service are answered while the key is replaced', async () => {
    expect(await outcomeOf(clientOf(new CallSigner('gateway', SEEDS.share)))).toBe('OK');
  });

  it(`without a token are ${GRPC_AUTH === 'required' ? 'refused' : 'answered'}`, async () => {
    expect(await outcomeOf(clientOf())).toBe(GRPC_AUTH === 'required' ? 'UNAUTHENTICATED' : 'OK');
  });

  it('of a service that may not make them are refused', async () => {
    expect(await outcomeOf(clientOf(new CallSigner('assets', SEEDS.assets)))).toBe('PERMISSION_DENIED');
  });

  it.each([
    ['an unknown key', new CallSigner('gateway', SEEDS.stranger)],
    ['the key of another service', new CallSigner('gateway', SEEDS.assets)],
    ['a name that has no key', new CallSigner('share', SEEDS.stranger)],
    ['an old token', new CallSigner('gateway', SEEDS.gateway, () => Date.now() - 7 * 60_000)],
    ['a token that lasts too long', new CallSigner('gateway', SEEDS.gateway, () => Date.now() + 7 * 60_000)],
  ])('with %s are refused', async (_what, signer) => {
    expect(await outcomeOf(clientOf(signer))).toBe('UNAUTHENTICATED');
  });

  it('of a clock that was an hour ahead are answered when it is set back', async () => {
    let aheadMs = 3_600_000;
    const gateway = clientOf(new CallSigner('gateway', SEEDS.gateway, () => Date.now() + aheadMs));
    expect(await outcomeOf(gateway)).toBe('UNAUTHENTICATED');
    aheadMs = 0;
    expect(await outcomeOf(gateway)).toBe('OK');
  });

  it('with a token for another service are refused', async () => {
    const signer = new CallSigner('gateway', SEEDS.gateway);
    jest.spyOn(signer, 'tokenFor').mockReturnValue(new CallSigner('gateway', SEEDS.gateway).tokenFor('ledger'));
    expect(await outcomeOf(clientOf(signer))).toBe('UNAUTHENTICATED');
  });

  it('of the health protocol need no token', async () => {
    const Health = makeGenericClientConstructor(healthService, 'Health');
    const client = new Health(address, credentials.createInsecure());
    const check = () =>
      new Promise<string>((resolve, reject) => {
        const done = (error: Error | null, answer: { status: string }) => (error ? reject(error) : resolve(answer.status));
        (client['check'] as unknown as (request: object, done: unknown) => void).call(client, { service: '' }, done);
      });
    await eventually(async () => (await check()) === 'SERVING');
    client.close();
  });
});

it.each([-3_600_000, 3_600_000])(
  'a service whose clock is off by %i ms refuses a token that it knows, until its clock is right',
  (offMs) => {
    let aheadMs = 0;
    const verifier = new CallVerifier([{ name: 'gateway', key: publicKeyOf(SEEDS.gateway) }], () => Date.now() + aheadMs);
    const token = new CallSigner('gateway', SEEDS.gateway).tokenFor('content');
    const callers = [0, offMs, 0].map((ms) => {
      aheadMs = ms;
      return verifier.callerOf(token, 'content');
    });
    expect(callers).toEqual(['gateway', undefined, 'gateway']);
  },
);
