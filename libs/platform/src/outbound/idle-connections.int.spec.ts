import { eventually, listenOnLoopback, startNameServer, tempDir, testCa } from '@tire/test-harness';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { join } from 'node:path';
import { IdleConnections } from './idle-connections';
import { createOutbound, type Outbound, type OutboundRequest } from './outbound';

const LIMITS: OutboundRequest = { maxRedirects: 3, timeoutMs: 60_000, maxBytes: 100_000, keepFor: 'a project' };

describe('idle connections', () => {
  let server: Server;
  let origin: string;
  let outbound: Outbound;
  let names: Awaited<ReturnType<typeof startNameServer>>;
  let meaning: readonly string[];
  let answer: RequestListener;
  /** Each connection to the host, and the number of requests on it. */
  let connections: Map<Socket, number>;

  beforeAll(async () => {
    const { ca, cert, key } = await testCa();
    const extraCaFile = join(await tempDir(), 'ca.pem');
    await writeFile(extraCaFile, ca);
    server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
      connections.set(request.socket, connections.get(request.socket)! + 1);
      answer(request, response);
    });
    server.on('secureConnection', (socket: TLSSocket) => void connections.set(socket, 0));
    const port = await listenOnLoopback(server);
    origin = `https://localhost:${port}`;
    names = await startNameServer(() => ({ addresses: meaning }));
    const allowedOrigins = [origin, `https://127.0.0.1:${port}`];
    outbound = createOutbound({ allowedOrigins, extraCaFile, dnsServers: [names.address] });
  });

  beforeEach(() => {
    connections = new Map();
    meaning = ['127.0.0.1'];
    answer = (_, response) => response.end('an image');
  });

  afterEach(() => server.closeAllConnections());

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await names.stop();
  });

  const ask = async (options: Partial<OutboundRequest> = {}, path = '/'): Promise<string> =>
    (await outbound.request(`${origin}${path}`, { ...LIMITS, ...options })).body.toString();
  const timesRequested = (): number[] => [...connections.values()];
  /** The answer is complete before the connection becomes idle. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const inTurn = async (requests: readonly Partial<OutboundRequest>[]): Promise<number[]> => {
    for (const options of requests) {
      await ask(options);
      await settled();
    }
    return timesRequested();
  };

  it('carry further requests to the same host for the same project', async () => {
    expect(await inTurn([{}, {}, {}])).toEqual([3]);
    await Promise.all([ask(), ask()]);
    expect(timesRequested()).toEqual([4, 1]);
  });

  it('carry further requests also after a streamed body', async () => {
    let handedBytes = 0;
    const take = async (body: AsyncIterable<Buffer>) => {
      for await (const piece of body) handedBytes += piece.length;
    };
    expect(await inTurn([{ take }, { take }])).toEqual([2]);
    expect(handedBytes).toBe(16);
  });

  it('are never used for another owner, and exist only if requested', async () => {
    expect(await inTurn([{}, { keepFor: 'another' }, { keepFor: undefined }, { keepFor: undefined }])).toEqual([1, 1, 1, 1]);
  });

  it('are not used after the name resolves to other addresses, good or bad', async () => {
    await inTurn([{}]);
    meaning = ['127.0.0.1', '127.0.0.2'];
    expect(await inTurn([{}])).toEqual([1, 1]);
    meaning = ['127.0.0.2', '127.0.0.1'];
    expect(await inTurn([{}])).toEqual([1, 2]);
    meaning = ['127.0.0.1', '10.0.0.1'];
    await expect(ask()).rejects.toMatchObject({ reason: 'forbidden' });
    meaning = [];
    await expect(ask()).rejects.toMatchObject({ reason: 'unreachable' });
    expect(timesRequested()).toEqual([1, 2]);
  });

  it('are reopened once, and only once, after the host closed them', async () => {
    await inTurn([{}]);
    answer = (request, response) => (connections.get(request.socket)! > 1 ? request.socket.destroy() : response.end('again'));
    expect(await ask()).toBe('again');
    expect(timesRequested()).toEqual([2, 1]);
    answer = (_, response) => response.end('an image');
    await inTurn([{}]);
    answer = (request) => request.socket.destroy();
    await expect(ask()).rejects.toMatchObject({ reason: 'unreachable' });
    expect(timesRequested()).toEqual([2, 1, 2, 1]);
  });

  it('are not opened again after the deadline', async () => {
    await inTurn([{}]);
    answer = () => undefined;
    await expect(ask({ timeoutMs: 1_000 })).rejects.toMatchObject({ reason: 'timeout' });
    expect(timesRequested()).toEqual([2]);
  });

  it.each([
    ['too large', (_, response) => response.end(Buffer.alloc(200_000)), 'too_large'],
    ['not a success', (_, response) => response.writeHead(500).end(Buffer.alloc(200_000)), undefined],
    [
      'a redirect',
      (request, response) => (request.url === '/' ? response.writeHead(302, { location: '/b' }).end('moved') : response.end('b')),
      undefined,
    ],
  ] as [string, RequestListener, string | undefined][])('end if an answer is not read to its end: %s', async (_, given, reason) => {
    answer = given;
    const take = async (body: AsyncIterable<Buffer>) => {
      for await (const piece of body) void piece;
    };
    const result = ask({ take });
    if (reason) await expect(result).rejects.toMatchObject({ reason });
    else await result;
    const [first] = connections.keys();
    await eventually(() => first!.destroyed);
  });

  it('end when the host sends data without a request', async () => {
    await inTurn([{}]);
    const [socket] = connections.keys();
    socket!.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged');
    await eventually(() => socket!.destroyed);
    expect(await ask()).toBe('an image');
    expect(timesRequested()).toEqual([1, 1]);
  });

  it('end after a few idle seconds, and are limited in number', async () => {
    const kept = jest.spyOn(IdleConnections.prototype, 'keepSocketAlive');
    const pending: (() => void)[] = [];
    answer = (_, response) => void pending.push(() => response.end('an image'));
    const answered = Promise.all(Array.from({ length: 40 }, (_, n) => ask({ keepFor: `project ${n}` })));
    // All at once, so that none is idle for seconds before the last one is open.
    await eventually(() => pending.length === 40);
    pending.forEach((give) => give());
    await answered;
    await eventually(() => kept.mock.results.length === 40);
    // Which ones are kept is decided at once, so this does not depend on how fast the test looks.
    expect(kept.mock.results.filter(({ value }) => value === true)).toHaveLength(32);
    kept.mockRestore();
    await eventually(() => [...connections.keys()].filter(({ destroyed }) => destroyed).length >= 8);
    await eventually(() => [...connections.keys()].every(({ destroyed }) => destroyed));
  });
});
