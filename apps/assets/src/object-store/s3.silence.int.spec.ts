import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { S3Store } from './s3.store';

/** A server that says what it is told to, whatever it is asked, and then nothing more. */
async function silentServer(words: string): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => socket.write(words));
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

describe('an S3 server that falls silent', () => {
  let stop: () => Promise<void>;

  const storeOn = async (words: string): Promise<S3Store> => {
    const server = await silentServer(words);
    stop = server.stop;
    return new S3Store({
      endpoint: server.endpoint,
      region: 'us-east-1',
      bucket: 'images',
      accessKey: 'a',
      secretKey: 's',
      silenceMaxMs: 200,
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
  ])('holds nobody who waits for %s', async (_, ask) => {
    await expect(ask(await storeOn(''))).rejects.toThrow('The object store fell silent');
  });

  it('holds nobody who reads what it began to send', async () => {
    const store = await storeOn('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    const object = await store.open('key');
    await expect(buffer(object!.body)).rejects.toThrow();
  });
});
