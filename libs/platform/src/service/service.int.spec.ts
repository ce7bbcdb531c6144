import { credentials, makeGenericClientConstructor, status } from '@grpc/grpc-js';
import { Body, Controller, Get, Module, NotImplementedException, type OnModuleInit, Post } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type contentApi, GRPC_SERVICES } from '@tire/contracts/grpc';
import { DomainError } from '@tire/kernel';
import { eventually, freePort } from '@tire/test-harness';
import { service as healthService } from 'grpc-health-check';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { grpcClient, type PromiseClient } from '../grpc/client';
import { HealthRegistry } from '../health/health.registry';
import { OperationsServer } from '../health/operations.server';
import { requestContext } from '../request-context';
import { startService } from './run-service';

const requestId = () => requestContext.getStore()?.requestId ?? 'none';

@Controller()
class TestController {
  @Get('context')
  async context() {
    await new Promise(setImmediate);
    return { requestId: requestId() };
  }

  @Post('echo')
  echo(@Body() body: unknown) {
    return { body, requestId: requestId() };
  }

  @Get('refused')
  refused() {
    throw new DomainError('report_discarded', { param: 'report_id', cause: new Error('secret cause') });
  }

  @Get('in-progress')
  inProgress() {
    throw new DomainError('idempotency_in_progress');
  }

  @Get('broken')
  broken() {
    throw new Error('secret cause');
  }

  @Get('not-implemented')
  notImplemented() {
    throw new NotImplementedException('secret cause');
  }

  @GrpcMethod('ContentService', 'GetContentRevision')
  getContentRevision({ contentRevision }: contentApi.GetContentRevisionRequest): Promise<unknown> {
    return behaviours[contentRevision]!();
  }
}

const behaviours: Record<string, () => Promise<unknown>> = {
  ok: async () => ({ contentJson: Buffer.from(requestId()), etag: 'W/"é"' }),
  refused: async () => {
    throw new DomainError('validation_error', { param: 'images[0].slot', message: '사진이 없습니다 "…"' });
  },
  unavailable: async () => {
    throw new DomainError('discard_incomplete');
  },
  broken: async () => {
    throw new Error('secret cause');
  },
  slow: () => new Promise(() => undefined),
  large: async () => ({ contentJson: Buffer.alloc(7 * 1024 * 1024, 1), etag: '' }),
  tooLarge: async () => ({ contentJson: Buffer.alloc(9 * 1024 * 1024, 1), etag: '' }),
};

let starts = 0;

@Module({ controllers: [TestController] })
class TestModule implements OnModuleInit {
  onModuleInit(): void {
    starts += 1;
  }
}

describe('a service', () => {
  let app: NestFastifyApplication;
  let base: string;
  let grpcPort: number;
  let client: PromiseClient<contentApi.ContentServiceClient>;
  const clients: unknown[] = [];

  const start = () =>
    startService(
      { name: 'test', module: () => TestModule, grpc: [GRPC_SERVICES.content] },
      { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0, OPERATIONS_PORT: 0, GRPC_HOST: '127.0.0.1', GRPC_PORT: grpcPort },
    );
  const newClient = () => {
    const made = grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, `127.0.0.1:${grpcPort}`);
    clients.push(made);
    return made;
  };
  const ask = (contentRevision: string, options?: { deadlineMs?: number }) =>
    client.getContentRevision({ projectId: 'p', reportId: 'r', contentRevision }, options);

  beforeAll(async () => {
    grpcPort = await freePort();
    app = await start();
    base = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
    client = newClient();
  });

  afterAll(async () => {
    for (const made of clients) (made as { onApplicationShutdown(): void }).onApplicationShutdown();
    await app?.close();
  });

  const operations = () => `http://127.0.0.1:${app.get(OperationsServer).port}`;
  const health = (path: string) => fetchJson(path, undefined, operations());
  const fetchJson = async (path: string, init?: RequestInit, origin = base) => {
    const response = await fetch(origin + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) as Record<string, unknown> };
  };
  const post = (body: string | Buffer, type = 'application/json') =>
    fetchJson('/echo', { method: 'POST', headers: { 'content-type': type }, body });

  it('is initialized once, though it serves HTTP and gRPC', () => {
    expect(starts).toBe(1);
  });

  it('creates a request id, or accepts a valid one, and returns it', async () => {
    const made = await fetchJson('/context');
    expect(made.json['requestId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(made.headers.get('x-request-id')).toBe(made.json['requestId']);
    const given = await fetchJson('/context', { headers: { 'x-request-id': 'partner-42' } });
    expect(given.json['requestId']).toBe('partner-42');
    for (const insane of ['a'.repeat(129), 'a b', '"x"', '{}']) {
      const replaced = await fetchJson('/context', { headers: { 'x-request-id': insane } });
      expect(replaced.json['requestId']).not.toBe(insane);
    }
  });

  it('answers with Retry-After while another request holds the lock', async () => {
    const [retryable, final] = [await fetchJson('/in-progress'), await fetchJson('/refused')];
    expect([retryable.status, retryable.headers.get('retry-after')]).toEqual([409, '1']);
    expect([final.status, final.headers.get('retry-after')]).toEqual([409, null]);
  });

  it('forbids browsers to guess the type of any answer', async () => {
    for (const path of ['/context', '/refused', '/broken', '/nothing', '/%zz', '/health/live'])
      expect([path, (await fetch(base + path)).headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
  });

  it('ends a request whose body does not arrive in time, although the client keeps its connection open', async () => {
    const server = app.getHttpServer() as Server;
    const { requestTimeout, headersTimeout } = server;
    expect([requestTimeout, headersTimeout]).toEqual([10_000, 10_000]);
    server.headersTimeout = 100;
    server.requestTimeout = 100;
    try {
      const { port } = server.address() as AddressInfo;
      const heads = ['POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{', 'GET /context HTT'];
      for (const head of heads) {
        const accepted = once(server, 'connection') as Promise<[Socket]>;
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
        socket.on('error', () => undefined);
        socket.write(head);
        const [ofServer] = await accepted;
        const closed = once(ofServer, 'close');
        const [answer] = (await once(socket, 'data')) as [Buffer];
        expect(answer.toString()).toMatch(/^HTTP\/1.1 408 /);
        await closed;
        socket.destroy();
      }
    } finally {
      Object.assign(server, { requestTimeout, headersTimeout });
    }
  });

  it('keeps the request id after a body was read', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', 'x-request-id': 'with-body' }, body: '{"a":1}' };
    expect((await fetchJson('/echo', init)).json).toEqual({ body: { a: 1 }, requestId: 'with-body' });
  });

  const ENVELOPE = { type: expect.any(String), code: expect.any(String), message: expect.any(String), retryable: expect.any(Boolean) };

  it.each([
    ['an unknown route', () => fetchJson('/nothing'), 404, 'not_found'],
    ['an unknown method', () => fetchJson('/context', { method: 'DELETE' }), 404, 'not_found'],
    ['a bad path', () => fetchJson('/%E0%A4%A'), 400, 'validation_error'],
    ['malformed JSON', () => post('{"a":'), 400, 'validation_error'],
    ['an empty body', () => post(''), 400, 'validation_error'],
    ['a poisoned prototype', () => post('{"__proto__":{"x":1}}'), 400, 'validation_error'],
    ['a media type that is not JSON', () => post('<a/>', 'application/xml'), 415, 'validation_error'],
    ['a body that is too large', () => post(`"${'a'.repeat(257 * 1024)}"`), 413, 'validation_error'],
    ['an unexpected error', () => fetchJson('/broken'), 500, 'internal_error'],
    ['a status of the framework', () => fetchJson('/not-implemented'), 500, 'internal_error'],
  ])('answers %s with the envelope', async (_, request, httpStatus, code) => {
    const answer = await request();
    expect(answer.status).toBe(httpStatus);
    expect(answer.json).toEqual({ error: { ...ENVELOPE, code, param: null } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.text).not.toMatch(/secret|at .*\.ts|node_modules|Cannot|FST_/);
  });

  it('returns a refusal with its code, param and status', async () => {
    const answer = await fetchJson('/refused');
    expect(answer.status).toBe(409);
    expect(answer.json).toEqual({ error: { ...ENVELOPE, code: 'report_discarded', param: 'report_id', retryable: false } });
    expect(answer.text).not.toContain('secret');
  });

  it('answers bytes that are not HTTP with the envelope', async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('NONSENSE\r\n\r\n');
    await closed;
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\r\nx-request-id: [0-9a-f-]{36}\r\n[\s\S]*"code":"validation_error"/,
    );
  });

  describe('health', () => {
    it('is live, and ready when every dependency is ready', async () => {
      expect((await health('/health/live')).status).toBe(200);
      let part: Error | undefined = new Error('not connected');
      app.get(HealthRegistry).register('part', async () => {
        if (part) throw part;
      });
      const unready = await health('/health/ready');
      expect(unready.status).toBe(503);
      expect(unready.json).toMatchObject({ status: 'error', error: { part: { status: 'down', message: 'not connected' } } });
      part = undefined;
      expect(await health('/health/ready')).toMatchObject({ status: 200, json: { status: 'ok' } });
    });

    it('reports optional dependencies, and is ready without them', async () => {
      let away: Error | undefined = new Error('gone');
      app.get(HealthRegistry).inform('broker', async () => {
        if (away) throw away;
      });
      expect(await health('/health/ready')).toMatchObject({
        status: 200,
        json: { status: 'ok', error: {}, details: { broker: { status: 'down', message: 'gone' } } },
      });
      away = undefined;
      expect((await health('/health/ready')).json).toMatchObject({ details: { broker: { status: 'up' } } });
    });

    it('serves metrics as text', async () => {
      const response = await fetch(`${operations()}/metrics`);
      expect(response.headers.get('content-type')).toContain('text/plain');
    });

    it.each(['/health/live', '/health/ready', '/metrics'])('does not serve %s on the public port', async (path) => {
      expect((await fetchJson(path)).status).toBe(404);
    });

    it('serves nothing else on the port of operations', async () => {
      expect((await health('/context')).status).toBe(404);
      expect((await fetch(`${operations()}/metrics`, { method: 'POST' })).status).toBe(404);
    });
  });

  describe('over gRPC', () => {
    it('reports readiness by the health protocol', async () => {
      const Health = makeGenericClientConstructor(healthService, 'Health');
      const client = new Health(`127.0.0.1:${grpcPort}`, credentials.createInsecure());
      const check = (name: string) =>
        new Promise<string>((resolve, reject) => {
          const done = (error: Error | null, answer: { status: string }) => (error ? reject(error) : resolve(answer.status));
          (client['check'] as unknown as (request: object, done: unknown) => void).call(client, { service: name }, done);
        });
      const on = (): Promise<void> => Promise.resolve();
      let answer = on;
      app.get(HealthRegistry).register('switch', () => answer());
      await eventually(async () => (await check('')) === 'SERVING');
      answer = () => Promise.reject(new Error('off'));
      await eventually(async () => (await check('tire.content.v1.ContentService')) === 'NOT_SERVING');
      answer = on;
      await eventually(async () => (await check('')) === 'SERVING');
      answer = () => new Promise<never>(() => undefined);
      await eventually(async () => (await check('')) === 'NOT_SERVING', { message: 'A part without an answer is ready' });
      answer = on;
      await eventually(async () => (await check('tire.content.v1.ContentService')) === 'SERVING');
      await expect(check('unknown')).rejects.toMatchObject({ code: status.NOT_FOUND });
      client.close();
    });

    it('answers, with the request id of the caller', async () => {
      const answer = await requestContext.run({ requestId: 'from-caller' }, () => ask('ok'));
      expect(answer).toMatchObject({ etag: 'W/"é"' });
      expect(answer.contentJson.toString()).toBe('from-caller');
      expect((await ask('ok')).contentJson.toString()).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('returns a refusal as the original DomainError', async () => {
      const refusal = await ask('refused').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(DomainError);
      expect(refusal).toMatchObject({ code: 'validation_error', param: 'images[0].slot', message: '사진이 없습니다 "…"' });
    });

    it('does not retry a refusal, not even an unavailable one', async () => {
      let calls = 0;
      const before = behaviours['unavailable']!;
      behaviours['unavailable'] = () => (calls++, before());
      await expect(ask('unavailable')).rejects.toMatchObject({ code: 'discard_incomplete' });
      expect(calls).toBe(1);
    });

    it('hides the cause of an unexpected error', async () => {
      const error = (await ask('broken').catch((failure: unknown) => failure)) as DomainError;
      expect(error.code).toBe('internal_error');
      expect(JSON.stringify([error.message, String(error.cause)])).not.toContain('secret');
    });

    it('ends at the deadline', async () => {
      await expect(ask('slow', { deadlineMs: 60 })).rejects.toMatchObject({ code: 'service_unavailable' });
    });

    it('carries messages of up to 8 MB', async () => {
      expect((await ask('large')).contentJson).toHaveLength(7 * 1024 * 1024);
      await expect(ask('tooLarge')).rejects.toMatchObject({ code: 'internal_error' });
    });

    it('survives a restart of the server, and does not depend on the start order', async () => {
      await ask('ok');
      await app.close();
      await expect(ask('ok', { deadlineMs: 100 })).rejects.toMatchObject({ code: 'service_unavailable' });
      const early = newClient();
      const waiting = eventually(() => early.getContentRevision({ projectId: 'p', reportId: 'r', contentRevision: 'ok' }));
      app = await start();
      base = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
      expect(await waiting).toBeDefined();
      expect(await eventually(() => ask('ok'))).toBeDefined();
    });
  });
});
