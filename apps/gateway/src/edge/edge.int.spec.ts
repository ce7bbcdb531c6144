import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ErrorEnvelope } from '@tire/contracts/api';
import { KEY_SCOPES, SCOPES } from '@tire/contracts/api';
import { openapiJson } from '@tire/contracts/openapi';
import { HTTP_REFUSALS, newId } from '@tire/kernel';
import { issueKey } from '../keys/api-key';
import { startGateway } from '../testing/gateway';

/** The gateway alone: the other services are down, so requests that pass the edge get 503. */
describe('the edge', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    gateway = await startGateway();
    for (const scope of KEY_SCOPES) keys[scope] = await gateway.keyWith([scope]);
  });

  afterAll(() => gateway?.stop());

  const id = newId();
  const call = (method: string, path: string, options: { key?: string; body?: unknown; headers?: Record<string, string> } = {}) =>
    gateway.call(method, path, { ...options, key: options.key ?? keys['report:*']! });

  const routes = [
    ['POST', '/reports', 'report:write'],
    ['GET', `/reports/${id}`, 'report:read'],
    ['POST', `/reports/${id}/images`, 'report:write'],
    ['POST', '/webhooks/replay', 'report:write'],
    ['GET', `/reports/${id}/content`, 'report:read'],
    ['GET', '/reports?limit=3', 'report:read'],
    ['GET', '/vehicles/car%2F1', 'report:read'],
    ['GET', `/reports/${id}/content/${id}`, 'report:read'],
    ['GET', `/reports/${id}/share`, 'report:read'],
  ] as const;

  describe.each(routes)('%s %s', (method, path, scope) => {
    it.each([
      ['no key', ''],
      ['a key that was never issued', issueKey('live').key],
      ['garbage', 'svc_live_x'],
    ])('returns 401 for %s before any other check', async (_, key) => {
      const { status, error, headers } = await call(method, path, { key, body: method === 'POST' ? '{broken' : undefined });
      expect([status, error?.code, error?.type]).toEqual([401, 'unauthorized', 'authentication_error']);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    });

    it(`returns 403 for every key without ${scope} before it reads the body`, async () => {
      for (const other of SCOPES.filter((candidate) => candidate !== scope)) {
        const { status, error } = await call(method, path, { key: keys[other], body: method === 'POST' ? '{broken' : undefined });
        expect([other, status, error?.code, error?.type]).toEqual([other, 403, 'forbidden', 'permission_error']);
      }
    });

    it('returns a retryable 503 with the name of the call while another service is down', async () => {
      const bodies: Record<string, object> = {
        images: { images: [{ asset_id: id, module_type: 'tire', slot: { position: 'front_left', image_type: 'tread' } }] },
        replay: { queued_from: '2026-11-21T00:00:00Z', queued_before: '2026-11-22T00:00:00Z' },
      };
      const body = bodies[path.split('/').at(-1)!] ?? {};
      const answer = await call(method, path, {
        key: keys[scope],
        body: method === 'POST' ? body : undefined,
        headers: { 'x-request-id': 'mine-1' },
      });
      expect([answer.status, answer.error?.code, answer.error?.retryable]).toEqual([503, 'internal_error', true]);
      expect([answer.headers.get('x-request-id'), answer.headers.get('retry-after')]).toEqual(['mine-1', '1']);
    });
  });

  it.each([
    ['GET', '/reports/not-a-uuid'],
    ['GET', `/reports/${id}x`],
    ['POST', '/reports/1/images'],
    ['GET', '/reports/1/content'],
    ['GET', `/reports/${id}/content/latest`],
    ['GET', '/reports/1/share'],
    ['GET', '/nothing'],
    ['GET', '/vehicles'],
    ['GET', '/vehicles/'],
    ['GET', '/vehicles/%00'],
    ['GET', `/vehicles/${'x'.repeat(129)}`],
    ['GET', '/vehicles/car-1/reports'],
    ['PUT', `/reports/${id}/nothing`],
    ['DELETE', '/reports/1'],
    ['DELETE', '/reports/1/share'],
    ['POST', '/reports/1/share'],
    ['POST', '/reports/1/publish'],
    ['POST', '/reports/1/upload-targets'],
    ['POST', '/reports/1/analyze'],
    ['GET', `/reports/${'x'.repeat(101)}`],
    ['GET', `/reports/${id}/content/${'x'.repeat(4_000)}`],
    ['GET', `/nothing/${'x'.repeat(4_000)}`],
  ])('%s %s gives 404 with a key and 401 without one', async (method, path) => {
    const body = method === 'POST' ? '{broken' : undefined;
    const answer = await call(method, path, { body });
    expect([answer.status, answer.error?.code, answer.error?.param]).toEqual([404, 'not_found', null]);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect((await call(method, path, { key: '', body })).status).toBe(401);
  });

  it.each([
    ['PUT', '/reports', 'POST, GET, HEAD'],
    ['PUT', `/reports/${id}`, 'GET, HEAD, DELETE'],
    ['POST', `/reports/${id}`, 'GET, HEAD, DELETE'],
    ['PATCH', `/reports/${id}/share?a=/b`, 'GET, HEAD, POST, DELETE'],
    ['GET', `/reports/${id}/analyze`, 'POST'],
    ['HEAD', `/reports/${id}/images`, 'POST'],
    ['OPTIONS', '/reports/not-a-uuid/content', 'GET, HEAD'],
    ['TRACE', '/reports', 'POST, GET, HEAD'],
    ['QUERY', '/reports', 'POST, GET, HEAD'],
    ['POST', '/vehicles/car-1', 'GET, HEAD'],
    ['PROPFIND', `/reports/${id}/content/${id}`, 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
    // Addresses with encoded letters, which the router reads as letters.
    ['PUT', '/%72eports', 'POST, GET, HEAD'],
    ['POST', '/vehicles/%EC%B0%A8%2F1', 'GET, HEAD'],
  ])('%s %s gives 405 with the methods of the path to every key, and 401 without one', async (method, path, allowed) => {
    for (const key of [keys['report:*']!, keys['report:read']!]) {
      const { status, headers, body } = await sent(method, path, key);
      expect([status, headers.allow]).toEqual([405, allowed]);
      if (method === 'HEAD') continue;
      const { error } = ErrorEnvelope.parse(JSON.parse(body));
      expect([error.code, error.message, error.retryable]).toEqual(['validation_error', HTTP_REFUSALS[405], false]);
    }
    expect((await sent(method, path)).status).toBe(401);
  });

  /** Methods that fetch refuses to send. */
  const sent = (method: string, path: string, key?: string) =>
    new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      request(`${gateway.origin}/api/v1${path}`, { method, headers }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, headers: response.headers, body }), reject);
      })
        .on('error', reject)
        .end();
    });

  it('says whether the header or the key is wrong, and no more about a key', async () => {
    const messageFor = async (authorization?: string) => {
      const response = await fetch(
        `${gateway.origin}/api/v1/reports/${id}`,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      return ErrorEnvelope.parse(await response.json()).error.message;
    };
    const revoked = await gateway.revokedKey();
    const { key } = issueKey('live');
    for (const absent of [undefined, '']) expect(await messageFor(absent)).toContain('Authorization is missing');
    for (const other of [key, `Basic ${key}`, 'Bearer', `Bearer ${key} ${key}`])
      expect([other, await messageFor(other)]).toEqual([other, expect.stringContaining('the form: Bearer <API key>')]);
    const notValid = [key, key.slice(0, -1), 'x', revoked].map((wrong) => messageFor(`Bearer ${wrong}`));
    expect(new Set(await Promise.all(notValid)).size).toBe(1);
  });

  it('checks the route of a percent-encoded path', async () => {
    const response = await fetch(`${gateway.origin}/%61pi/v1/reports/${id}`);
    expect([response.status, ErrorEnvelope.parse(await response.json()).error.code]).toEqual([401, 'unauthorized']);
  });

  describe('POST /reports', () => {
    it.each<[string, unknown, string | null]>([
      ['no body', undefined, null],
      ['broken JSON', '{broken', null],
      ['an array', '[]', null],
      ['invalid UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), null],
      ['an unknown template', { template: 'tire_9t' }, 'template'],
      [
        'an unknown image type',
        { images: [{ module_type: 'tire', slot: { position: 'front_left', image_type: 'rim' }, source: { url: 'https://a.example/' } }] },
        'images[0].slot.image_type',
      ],
      ['a body of 256 KiB and more', ` ${JSON.stringify({ metadata: { a: 'x'.repeat(256 * 1024) } })}`, null],
    ])('refuses %s', async (_, body, param) => {
      const { status, error } = await call('POST', '/reports', { body });
      expect([error?.code, error?.type, error?.param, error?.retryable]).toEqual([
        'validation_error',
        'invalid_request_error',
        param,
        false,
      ]);
      expect([413, 422]).toContain(status);
    });

    it.each([
      ['application/json; charset=utf-8', 'template'],
      ['application/vnd.partner+json', 'template'],
      ['text/plain', 'Content-Type'],
      ['application/x-www-form-urlencoded', 'Content-Type'],
      ['multipart/form-data; boundary=x', 'Content-Type'],
    ])('refuses a body of type %s with the parameter %s', async (type, param) => {
      const { status, error } = await call('POST', '/reports', { body: '{"template":"tire_9t"}', headers: { 'content-type': type } });
      expect([status, error?.code, error?.param]).toEqual([422, 'validation_error', param]);
    });

    it('refuses an idempotency key that is too long or not printable', async () => {
      for (const key of ['x'.repeat(256), 'a\tb']) {
        const { status, error } = await call('POST', '/reports', { body: {}, headers: { 'idempotency-key': key } });
        expect([status, error?.param]).toEqual([422, 'Idempotency-Key']);
      }
    });
  });

  const noType = { headers: { 'content-type': 'json' }, body: '{}' };
  const tooLarge = { headers: {}, body: 'x'.repeat(256 * 1024 + 1) };

  it.each([
    [415, 'POST', '/reports', 'an invalid content type', noType],
    [415, 'DELETE', `/reports/${id}`, 'an invalid content type', noType],
    [413, 'DELETE', `/reports/${id}`, 'a body that is too large', tooLarge],
    [413, 'POST', `/reports/${id}/publish`, 'a body that is too large', tooLarge],
    [431, 'GET', `/reports/${id}`, 'a header that is too long', { headers: { 'x-long': 'x'.repeat(16 * 1024) } }],
    [400, 'GET', '/reports/%zz', 'an invalid path', {}],
  ])('returns %i for %s %s with %s', async (expected, method, path, _, sent) => {
    const { status, error, headers: answered } = await call(method, path, sent);
    expect([status, error?.code, error?.message, error?.retryable]).toEqual([expected, 'validation_error', HTTP_REFUSALS[expected], false]);
    expect(answered.get('x-request-id')).toBeTruthy();
  });

  it('returns the error envelope for requests that are not valid HTTP', async () => {
    for (const request of ['GET /api/v1/reports/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'NONSENSE\r\n\r\n']) {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write(request);
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
      ErrorEnvelope.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
    }
  });

  it('serves the OpenAPI document without a key', async () => {
    const response = await fetch(`${gateway.origin}/api/v1/openapi.json`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await response.text()).toBe(openapiJson());
  });

  it('serves a reference page with scripts from the gateway only', async () => {
    const response = await fetch(`${gateway.origin}/docs/reference`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
    const scripts = [...(await response.text()).matchAll(/<script src="([^"]+)">/g)].map(([, path]) => path!);
    expect(scripts).toHaveLength(2);
    for (const path of scripts) {
      const script = await fetch(`${gateway.origin}${path}`);
      expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(await script.text()).not.toContain('cdn.redoc.ly');
    }
  });
});
