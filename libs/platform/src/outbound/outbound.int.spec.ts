import { testCa, tempDir } from '@tire/test-harness';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createOutbound, type Outbound, type OutboundRequest } from './outbound';

const LIMITS: OutboundRequest = { maxRedirects: 3, timeoutMs: 100_000, maxBytes: 1_000 };

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

describe('outbound requests', () => {
  let origin: string;
  let other: string;
  let outbound: Outbound;
  const servers: Server[] = [];
  let answers: Record<string, RequestListener>;
  let seen: { path: string; method: string; headers: NodeJS.Dict<string | string[]>; body: string }[];

  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', method = '', headers } = request;
      seen.push({ path, method, headers, body: Buffer.concat(chunks).toString() });
      (answers[path] ?? ((_, res) => res.end('hello')))(request, response);
    });
  };

  beforeAll(async () => {
    const { ca, cert, key } = await testCa();
    const extraCaFile = join(await tempDir(), 'ca.pem');
    await writeFile(extraCaFile, ca);
    servers.push(createServer({ cert, key }, listener) as unknown as Server, createHttpServer(listener));
    servers.push(createServer({ cert, key }, listener) as unknown as Server);
    origin = `https://127.0.0.1:${await listen(servers[0]!)}`;
    other = `http://127.0.0.1:${await listen(servers[1]!)}`;
    outbound = createOutbound({ allowedOrigins: [origin, other], extraCaFile });
  });

  beforeEach(() => {
    answers = {};
    seen = [];
  });

  afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())))));

  const redirect =
    (location: string, status = 302): RequestListener =>
    (_, response) =>
      response.writeHead(status, { location }).end('moved');

  it('return status, headers, body and the final address', async () => {
    answers['/a?b=1'] = (_, response) => response.writeHead(201, { 'x-one': 'two' }).end('body');
    const answer = await outbound.request(`${origin}/a?b=1`, LIMITS);
    expect(answer).toMatchObject({ status: 201, url: `${origin}/a?b=1`, headers: { 'x-one': 'two' } });
    expect(answer.body.toString()).toBe('body');
  });

  it('send a body and headers, with the host of the address', async () => {
    const headers = { 'content-type': 'application/json', host: 'elsewhere' };
    await outbound.request(`${origin}/hook`, { ...LIMITS, method: 'POST', headers, body: '{"a":1}' });
    expect(seen).toMatchObject([
      { method: 'POST', body: '{"a":1}', headers: { host: origin.slice(8), 'content-type': 'application/json' } },
    ]);
    expect(seen[0]!.headers['content-length']).toBe('7');
  });

  it.each([
    ['another port of this machine', () => `https://127.0.0.1:1/`],
    ['this machine by name', () => 'https://localhost/'],
    ['a short spelling', () => 'https://127.1/'],
    ['a number', () => 'https://2130706433/'],
    ['hexadecimal', () => 'https://0x7f.0.0.1/'],
    ['octal', () => 'https://0177.0.0.1/'],
    ['full-width digits', () => 'https://１２７.0.0.1/'],
    ['IPv6', () => 'https://[::1]/'],
    ['IPv4 in IPv6', () => 'https://[::ffff:127.0.0.1]/'],
    ['metadata', () => 'https://169.254.169.254/latest/meta-data/'],
    ['plain HTTP', () => 'http://1.1.1.1/'],
    ['another scheme', () => 'ftp://1.1.1.1/'],
    ['a file', () => 'file:///etc/passwd'],
    ['another port', () => 'https://1.1.1.1:8443/'],
    ['a user name', () => `${origin.replace('//', '//user@')}/`],
    ['a password', () => `${origin.replace('//', '//:secret@')}/`],
    ['the port of an allowed origin with another scheme', () => origin.replace('https', 'http')],
    ['an allowed origin by another name', () => origin.replace('127.0.0.1', 'localhost')],
  ])('forbid %s', async (_, url) => {
    await expect(outbound.request(url(), LIMITS)).rejects.toMatchObject({ reason: 'forbidden' });
    expect(seen).toEqual([]);
  });

  it.each(['', 'nonsense', 'https://', '//127.0.0.1/', `https://1.1.1.1/${'a'.repeat(2_048)}`])(
    'reject %j as an invalid address',
    async (url) => {
      await expect(outbound.request(url, LIMITS)).rejects.toMatchObject({ reason: 'bad_url' });
    },
  );

  describe('redirects', () => {
    it('are followed up to the limit', async () => {
      answers['/1'] = redirect('/2', 301);
      answers['/2'] = redirect(`${origin}/3`, 307);
      answers['/3'] = redirect('/4', 308);
      expect(await outbound.request(`${origin}/1`, LIMITS)).toMatchObject({ status: 200, url: `${origin}/4` });
      await expect(outbound.request(`${origin}/1`, { ...LIMITS, maxRedirects: 2 })).rejects.toMatchObject({ reason: 'too_many_redirects' });
    });

    it('may have longer target addresses than a submitted address', async () => {
      const long = `/${'signature'.repeat(400)}`;
      answers['/1'] = redirect(long);
      expect(await outbound.request(`${origin}/1`, LIMITS)).toMatchObject({ status: 200, url: `${origin}${long}` });
    });

    it('are returned as the answer if none may be followed', async () => {
      answers['/1'] = redirect('/2');
      expect(await outbound.request(`${origin}/1`, { ...LIMITS, maxRedirects: 0 })).toMatchObject({ status: 302 });
      expect(seen).toHaveLength(1);
    });

    it.each(['https://127.0.0.1:1/', 'http://169.254.169.254/', 'https://[::1]/', 'file:///etc/passwd', 'https://u@1.1.1.1/'])(
      'to %s are forbidden',
      async (location) => {
        answers['/1'] = redirect(location);
        await expect(outbound.request(`${origin}/1`, LIMITS)).rejects.toMatchObject({ reason: 'forbidden' });
      },
    );

    it('to another origin drop credentials', async () => {
      answers['/1'] = redirect(`${other}/2`);
      await outbound.request(`${origin}/1`, { ...LIMITS, headers: { Authorization: 'Bearer x', Cookie: 'y', 'x-kept': 'z' } });
      expect(seen[1]!.headers).toMatchObject({ 'x-kept': 'z', host: other.slice(7) });
      expect(seen[1]!.headers).not.toHaveProperty('authorization');
      expect(seen[1]!.headers).not.toHaveProperty('cookie');
    });

    it('turn a POST into a GET, except 307 and 308', async () => {
      const request = { ...LIMITS, method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' };
      answers['/1'] = redirect('/2', 303);
      await outbound.request(`${origin}/1`, request);
      expect(seen[1]).toMatchObject({ method: 'GET', body: '' });
      answers['/1'] = redirect('/2', 307);
      await outbound.request(`${origin}/1`, request);
      expect(seen[3]).toMatchObject({ method: 'POST', body: 'x' });
    });
  });

  describe('limits', () => {
    it.each([
      ['announced', (_: unknown, response) => response.writeHead(200, { 'content-length': 1_001 }).end(Buffer.alloc(1_001))],
      ['not announced', (_: unknown, response) => (response.write(Buffer.alloc(600)), response.end(Buffer.alloc(600)))],
      [
        'packed with gzip',
        (_: unknown, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1e6))),
      ],
      [
        'packed with brotli',
        (_: unknown, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(1e6))),
      ],
    ] as [string, RequestListener][])('on bytes apply if the size is %s', async (_, answer) => {
      answers['/'] = answer;
      await expect(outbound.request(origin, LIMITS)).rejects.toMatchObject({ reason: 'too_large' });
    });

    it.each([
      ['announced', (_: unknown, response) => response.writeHead(200, { 'content-length': 5_000 }).end(Buffer.alloc(5_000, 'a'))],
      ['without an end', (_: unknown, response) => void response.write(Buffer.alloc(1_200, 'a'))],
      [
        'marked as compressed',
        (_: unknown, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(2_000, 'a')),
      ],
    ] as [string, RequestListener][])('truncate a body if the beginning is enough: %s', async (_, answer) => {
      answers['/'] = answer;
      const { status, body } = await outbound.request(origin, { ...LIMITS, beyondMaxBytes: 'cut' });
      expect({ status, body: body.toString() }).toEqual({ status: 200, body: 'a'.repeat(1_000) });
    });

    it('allow a body that just fits after decompression', async () => {
      answers['/'] = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000, 'a')));
      expect((await outbound.request(origin, LIMITS)).body).toEqual(Buffer.alloc(1_000, 'a'));
    });

    it.each([
      ['there is no answer', () => undefined],
      ['the body does not end', (_: unknown, response) => void response.write('x')],
    ] as [string, RequestListener][])('on time apply if %s', async (_, answer) => {
      answers['/'] = answer;
      await expect(outbound.request(origin, { ...LIMITS, timeoutMs: 80 })).rejects.toMatchObject({ reason: 'timeout' });
    });

    it('on time apply to all redirects together', async () => {
      answers['/'] = (_, response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 30);
      await expect(outbound.request(origin, { ...LIMITS, maxRedirects: 100, timeoutMs: 200 })).rejects.toMatchObject({ reason: 'timeout' });
    });
  });

  it.each([
    ['no server listens', async () => ({ url: 'https://127.0.0.1:9', allowed: ['https://127.0.0.1:9'] })],
    ['a name does not exist', async () => ({ url: 'https://nowhere.invalid/', allowed: [] })],
    ['the certificate is not trusted', async () => ({ url: `https://127.0.0.1:${await listen(servers[2]!)}`, allowed: 'same' as const })],
  ])('report unreachable if %s', async (_, given) => {
    const { url, allowed } = await given();
    const strict = createOutbound({ allowedOrigins: allowed === 'same' ? [url] : allowed });
    await expect(strict.request(new URL('/unreachable', url).href, LIMITS)).rejects.toMatchObject({ reason: 'unreachable' });
    // A redirect of the previous case may still arrive.
    expect(seen.filter(({ path }) => path === '/unreachable')).toEqual([]);
  });

  it('ignore a proxy of the environment', async () => {
    const before = { ...process.env };
    Object.assign(process.env, { HTTPS_PROXY: other, https_proxy: other, HTTP_PROXY: other, ALL_PROXY: other, NODE_USE_ENV_PROXY: '1' });
    try {
      await outbound.request(`${origin}/direct`, LIMITS);
      expect(seen).toMatchObject([{ path: '/direct', method: 'GET', headers: { host: origin.slice(8) } }]);
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    }
  });

  it('refuse an exception for an origin that is not of this machine', () => {
    for (const allowed of ['https://10.0.0.1', 'https://example.com', 'https://127.0.0.1.example.com', 'https://127.0.0.1/path'])
      expect(() => createOutbound({ allowedOrigins: [allowed] })).toThrow('Only origins of this machine');
  });
});
