import { eventually, tempDir, testCa } from '@tire/test-harness';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { createOutbound, type OutboundRequest } from './outbound';

const MIB = 1024 * 1024;
const LIMITS: OutboundRequest = { maxRedirects: 3, timeoutMs: 100_000, maxBytes: 20 * MIB };
const SHORT: OutboundRequest = { ...LIMITS, timeoutMs: 300 };

const OK = 'HTTP/1.1 200 OK\r\n';
const chunk = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Writes as fast as the socket accepts data, until the other side closes the connection. */
const flood = (socket: Socket, piece: string | Buffer): Promise<void> =>
  pipeline(function* () {
    for (;;) yield piece;
  }, socket).catch(() => undefined);

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

function trickle(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.once('close', () => clearInterval(timer));
}

/** Hosts that violate the protocol: each writes raw bytes to a TLS socket. */
describe.each(['held', 'handed on'])('the limits of an answer whose body is %s', (how) => {
  let authority: Awaited<ReturnType<typeof testCa>>;
  let extraCaFile: string;
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    authority = await testCa();
    extraCaFile = join(await tempDir(), 'ca.pem');
    await writeFile(extraCaFile, authority.ca);
  });

  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    sockets.clear();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  async function originOf(server: Server): Promise<string> {
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function outcomeOf(answer: (socket: Socket) => unknown, options = LIMITS) {
    let sentBytes = 0;
    const server = createTlsServer({ cert: authority.cert, key: authority.key }, (socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => (sentBytes = socket.bytesWritten));
      socket.once('data', () => void answer(socket));
    });
    const origin = await originOf(server);
    let handedBytes = 0;
    const take = async (body: AsyncIterable<Buffer>) => {
      for await (const piece of body) handedBytes += piece.length;
    };
    const outcome = await createOutbound({ allowedOrigins: [origin], extraCaFile })
      .request(origin, { ...(how === 'held' ? {} : { take, keepFor: 'somebody' }), ...options })
      .then(
        ({ body }) => body.length + handedBytes,
        (error: { reason: string }) => error.reason ?? error,
      );
    await Promise.all([...sockets].map(closed));
    return { outcome, sentBytes };
  }

  it.each([
    ['just fits, announced', 20 * MIB, 20 * MIB],
    ['is a byte too large, announced', 20 * MIB + 1, 'too_large'],
  ])('an image that %s', async (_, sizeBytes, expected) => {
    const { outcome } = await outcomeOf((socket) =>
      socket.end(Buffer.concat([Buffer.from(`${OK}content-length: ${sizeBytes}\r\n\r\n`), Buffer.alloc(sizeBytes)])),
    );
    expect(outcome).toBe(expected);
  });

  it.each([
    ['just fits, in chunks', 20, 0, 20 * MIB],
    ['is a byte too large, in chunks', 20, 1, 'too_large'],
  ])('an image that %s', async (_, mebibytes, more, expected) => {
    const { outcome } = await outcomeOf((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      for (let sent = 0; sent < mebibytes; sent += 1) socket.write(chunk(Buffer.alloc(MIB)));
      if (more) socket.write(chunk(Buffer.alloc(more)));
      socket.end('0\r\n\r\n');
    });
    expect(outcome).toBe(expected);
  });

  it.each([
    ['in chunks', `${OK}transfer-encoding: chunked\r\n\r\n`, chunk(Buffer.alloc(MIB))],
    ['without an announced length', `${OK}connection: close\r\n\r\n`, Buffer.alloc(MIB)],
    ['with a compressed content encoding', `${OK}connection: close\r\ncontent-encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(64 * MIB))],
    ['with chunk extensions', `${OK}transfer-encoding: chunked\r\n\r\n1;`, Buffer.alloc(MIB, 'a')],
    ['of headers', OK, 'x: y\r\n'.repeat(1_000)],
    ['of one header', `${OK}x: `, Buffer.alloc(MIB, 'a')],
    ['of trailers', `${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n'.repeat(1_000)],
    ['of interim answers', '', 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'.repeat(1_000)],
  ])('an endless answer %s is aborted soon after the limit', async (_, head, piece) => {
    const { outcome, sentBytes } = await outcomeOf((socket) => (socket.write(head), flood(socket, piece)));
    expect(['too_large', 'unreachable']).toContain(outcome);
    expect(sentBytes).toBeLessThan(40 * MIB);
  });

  it('an error of the consumer of the body is rethrown unchanged, and reading stops', async () => {
    const full = new Error('the disk is full');
    const take = async (body: AsyncIterable<Buffer>) => {
      for await (const piece of body) if (piece.length > 0) throw full;
    };
    const head = `${OK}transfer-encoding: chunked\r\n\r\n`;
    const { outcome, sentBytes } = await outcomeOf((socket) => (socket.write(head), flood(socket, chunk(Buffer.alloc(MIB)))), {
      ...LIMITS,
      take,
    });
    expect(outcome).toBe(full);
    expect(sentBytes).toBeLessThan(20 * MIB);
  });

  it('the body of an unsuccessful answer is neither passed on nor stored', async () => {
    let taken = 0;
    const take = () => Promise.resolve(void (taken += 1));
    const body = `content-length: 3\r\n\r\nabc`;
    expect((await outcomeOf((socket) => socket.end(`HTTP/1.1 404 Not Found\r\n${body}`), { ...LIMITS, take })).outcome).toBe(0);
    expect(taken).toBe(0);
  });

  it('bytes beyond the announced length are not read', async () => {
    const { outcome } = await outcomeOf((socket) => socket.end(`${OK}content-length: 10\r\nconnection: close\r\n\r\n${'a'.repeat(1_000)}`));
    expect(outcome === 10 || outcome === 'unreachable').toBe(true);
  });

  it.each([
    ['less than was announced', `${OK}content-length: 100\r\n\r\nabc`],
    ['a chunk that ends early', `${OK}transfer-encoding: chunked\r\n\r\nff\r\nabc`],
    ['two lengths', `${OK}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`],
    ['a length and chunks', `${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`],
    ['a negative length', `${OK}content-length: -1\r\n\r\nabc`],
    ['not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['nothing', ''],
  ])('%s is not an image', async (_, answer) => {
    expect((await outcomeOf((socket) => socket.end(answer))).outcome).toBe('unreachable');
  });

  it.each([
    ['in its headers', `${OK}x: `, 'a'],
    ['between its headers', OK, 'x: y\r\n'],
    ['in its body', `${OK}content-length: 1000\r\n\r\n`, 'a'],
    ['in its chunks', `${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
  ])('a host that is slow %s is aborted at the timeout of the request', async (_, head, piece) => {
    const { outcome } = await outcomeOf((socket) => (socket.write(head), trickle(socket, piece)), SHORT);
    expect(outcome).toBe('timeout');
  });

  it('a host that never completes the handshake is aborted at the timeout of the request', async () => {
    const origin = await originOf(createTcpServer((socket) => sockets.add(socket)));
    const silent = createOutbound({ allowedOrigins: [origin] });
    await expect(silent.request(origin, SHORT)).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('a name server that never answers is aborted at the timeout of the request, and receives no further query', async () => {
    const server = createSocket('udp4');
    let questions = 0;
    server.on('message', () => (questions += 1));
    await once(server.bind(0, '127.0.0.1'), 'listening');
    const slow = createOutbound({ dnsServers: [`127.0.0.1:${server.address().port}`] });
    const names = Array.from({ length: 8 }, (_, index) => slow.request(`https://slow-${index}.example/`, SHORT));
    const reasons = (await Promise.allSettled(names)).map(
      (each) => each.status === 'rejected' && (each.reason as { reason: string }).reason,
    );
    expect(reasons).toEqual(Array(8).fill('timeout'));
    await eventually(() => questions >= 16, { message: 'The name server did not get every question' });
    expect(questions).toBe(16);
    await new Promise<void>((resolve) => server.close(resolve));
  });
});
