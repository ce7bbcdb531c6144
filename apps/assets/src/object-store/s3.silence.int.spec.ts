import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { S3Store } from './s3.store';

/** A server that sends one fixed response to any request and then nothing more. */
async function silentServer(response: string): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => socket.write(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('an S3 server that stops responding', () => {
  let stop: () => Promise<void>;

  const storeOn = async (response: string, idleTimeoutMs = 200): Promise<S3Store> => {
    const server = await silentServer(response);
    stop = server.stop;
    return new S3Store({
      endpoint: server.endpoint,
      region: 'us-east-1',
      bucket: 'images',
      accessKey: 'a',
      secretKey: 's',
      idleTimeoutMs,
    });
  };

  afterEach(() => stop());

  it.each<[string, (store: S3Store) => Promise<unknown>]>([
    ['stat', (store) => store.stat('key')],
    ['open', (store) => store.open('key')],
    ['put', (store) => store.put('key', Buffer.alloc(20_000_000), { contentType: 'image/png', cacheControl: undefined })],
    ['remove', (store) => store.remove('key')],
    ['list', (store) => store.list('key')[Symbol.asyncIterator]().next()],
    ['check', (store) => store.check()],
  ])('fails a %s after the timeout', async (_, ask) => {
    await expect(ask(await storeOn(''))).rejects.toThrow('The object store stopped responding');
  });

  it('fails the read of a body that it began to send', async () => {
    // Long enough for the beginning to arrive on a busy machine.
    const store = await storeOn('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', 2_000);
    const object = await store.open('key');
    await expect(buffer(object!.body)).rejects.toThrow();
  });
});
