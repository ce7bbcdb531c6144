import { Server, ServerCredentials } from '@grpc/grpc-js';
import { type contentApi, GRPC_SERVICES } from '@tire/contracts/grpc';
import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { grpcClient } from './client';
import { CONNECTION_AGE_MS, DEADLINE_MS, KEEPALIVE_MS } from './options';
import { grpcServerOptions } from './server';

const CALLS = 4;
const GRPC = { ':status': 200, 'content-type': 'application/grpc' };

const ended: (() => void)[] = [];

afterEach(() => {
  for (const end of ended.splice(0)) end();
});

function clientOf(port: number) {
  const client = grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, `127.0.0.1:${port}`);
  ended.push(() => client.onApplicationShutdown());
  return client;
}

/** The codes of calls that were made at once. */
async function codesOf(port: number, calls = 1): Promise<string[]> {
  const client = clientOf(port);
  const call = () =>
    client.discardReport({ projectId: 'p', reportId: 'r' }).then(
      () => 'answered',
      ({ code }: { code: string }) => code,
    );
  return Promise.all(Array.from({ length: calls }, call));
}

/** A server of HTTP/2 that is no server of gRPC. */
async function serverThat(treats: (stream: ServerHttp2Stream, socket: Socket) => void): Promise<number> {
  const server = createServer();
  let socket: Socket;
  server.on('connection', (connected: Socket) => (socket = connected));
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    treats(stream, socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ended.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

type Handlers = Parameters<Server['addService']>[0];

/** A server of gRPC whose only method is this one. */
async function grpcServer(
  discardReport: (call: unknown, done: (error: Error | null, answer?: unknown) => void) => void,
  options: Record<string, number>,
): Promise<number> {
  const server = new Server(options);
  const plain = (value: Buffer): Buffer => value;
  const definition = {
    DiscardReport: {
      path: '/tire.content.v1.ContentService/DiscardReport',
      requestStream: false,
      responseStream: false,
      requestSerialize: plain,
      requestDeserialize: plain,
      responseSerialize: plain,
      responseDeserialize: plain,
    },
  } as Handlers;
  server.addService(definition, { DiscardReport: discardReport });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  ended.push(() => server.forceShutdown());
  return port;
}

describe('a call without a status of the server', () => {
  it.each([
    ['is reset', constants.NGHTTP2_NO_ERROR],
    ['is reset after a protocol error', constants.NGHTTP2_PROTOCOL_ERROR],
    ['is reset after an internal error', constants.NGHTTP2_INTERNAL_ERROR],
    ['is refused', constants.NGHTTP2_REFUSED_STREAM],
    ['is cancelled', constants.NGHTTP2_CANCEL],
    ['is reset because there are too many', constants.NGHTTP2_ENHANCE_YOUR_CALM],
  ])('that %s means that the service is unavailable', async (_what, code) => {
    expect(await codesOf(await serverThat((stream) => stream.close(code)))).toEqual(['service_unavailable']);
  });

  it.each([
    ['ends after its headers', (stream: ServerHttp2Stream) => (stream.respond(GRPC), stream.end())],
    ['ends with trailers that have none', (stream: ServerHttp2Stream) => stream.respond(GRPC, { endStream: true })],
    ['is answered by a proxy', (stream: ServerHttp2Stream) => stream.respond({ ':status': 503 }, { endStream: true })],
    ['is answered by a proxy that failed', (stream: ServerHttp2Stream) => stream.respond({ ':status': 500 }, { endStream: true })],
    ['loses its connection', (stream: ServerHttp2Stream) => stream.session!.destroy()],
    ['loses its socket', (_stream: ServerHttp2Stream, socket: Socket) => socket.destroy()],
  ])('that %s means that the service is unavailable', async (_what, treats) => {
    expect(await codesOf(await serverThat(treats))).toEqual(['service_unavailable']);
  });

  it('whose connection is closed while several are in flight means that the service is unavailable', async () => {
    const hold = (): void => undefined;
    const port = await grpcServer(hold, { 'grpc.max_connection_age_ms': 100, 'grpc.max_connection_age_grace_ms': 200 });
    expect(await codesOf(port, CALLS)).toEqual(Array.from({ length: CALLS }, () => 'service_unavailable'));
  });
});

describe('a call whose stream is reset once', () => {
  const EMPTY_MESSAGE = Buffer.alloc(5);

  async function resettingOnce() {
    const seen: ServerHttp2Stream[] = [];
    const port = await serverThat((stream) => {
      seen.push(stream);
      if (seen.length === 1) return stream.close(constants.NGHTTP2_NO_ERROR);
      stream.respond(GRPC, { waitForTrailers: true });
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(EMPTY_MESSAGE);
    });
    return { seen, client: clientOf(port) };
  }

  it('is sent again if it reads', async () => {
    const { seen, client } = await resettingOnce();
    const ids = { projectId: 'p', reportId: 'r', contentRevision: 'c' };
    await expect(client.getContentRevision(ids)).resolves.toMatchObject({ etag: '' });
    expect(seen).toHaveLength(2);
  });

  it('fails if it changes something, because that may have happened', async () => {
    const { seen, client } = await resettingOnce();
    await expect(client.discardReport({ projectId: 'p', reportId: 'r' })).rejects.toMatchObject({
      code: 'service_unavailable',
      cause: { callee: 'content', rpc: 'DiscardReport' },
    });
    expect(seen).toHaveLength(1);
  });
});

describe('a call that the server refuses without our trailer', () => {
  it.each([
    ['an answer that is too large', (_call: unknown, done: (error: null, answer: Buffer) => void) => done(null, Buffer.alloc(2_000))],
    ['an answer that cannot be read', (_call: unknown, done: (error: null, answer: Buffer) => void) => done(null, Buffer.from([0xff]))],
    [
      'a fault of the handler',
      () => {
        throw new Error('a fault');
      },
    ],
  ])('is a fault of our code: %s', async (_what, method) => {
    expect(await codesOf(await grpcServer(method, { 'grpc.max_send_message_length': 1_000 }))).toEqual(['internal_error']);
  });
});

/** grpc-js cannot send a ping on a connection that is about to end, and destroys it with its calls. */
describe('the pings of a connection', () => {
  it('do not come from the server', () => {
    const options = grpcServerOptions({ services: [GRPC_SERVICES.content], host: '127.0.0.1', port: 0, onServer: () => undefined });
    const channel = options.options.channelOptions!;
    expect(channel['grpc.max_connection_age_ms']).toBe(CONNECTION_AGE_MS);
    expect(channel).not.toHaveProperty('grpc.keepalive_time_ms');
  });

  it('leave every call of the usual deadline the time to end on a connection that reaches its age', () => {
    const [youngestMs, oldestMs] = [CONNECTION_AGE_MS * 0.9, CONNECTION_AGE_MS * 1.1];
    const nextPingMs = Math.ceil(youngestMs / KEEPALIVE_MS) * KEEPALIVE_MS;
    expect(nextPingMs).toBeGreaterThan(oldestMs + DEADLINE_MS);
    // The ping before is answered by then, on a busy machine too.
    expect(youngestMs - (nextPingMs - KEEPALIVE_MS)).toBeGreaterThan(1_000);
  });
});
