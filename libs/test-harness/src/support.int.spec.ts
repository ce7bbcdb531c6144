import { createServer as createHttpServer, get } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { eventually } from './eventually';
import { listenOnLoopback } from './listen-on-loopback';
import { testCa } from './test-ca';
import { testClock } from './test-clock';

describe('testCa', () => {
  it('is trusted for 127.0.0.1 only by clients that trust the authority', async () => {
    const { ca, cert, key } = await testCa();
    const server = createServer({ cert, key }, (_, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const get = (trusted?: string) =>
      new Promise<number | undefined>((resolve, reject) =>
        request({ host: '127.0.0.1', port, ca: trusted, agent: false }, (response) => resolve(response.resume().statusCode))
          .once('error', reject)
          .end(),
      );
    try {
      expect(await get(ca)).toBe(200);
      await expect(get()).rejects.toThrow(/unable to verify|self-signed/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('listenOnLoopback', () => {
  const others = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
  );

  it(`serves every loopback address, and none of ${others.length} others of this machine`, async () => {
    const asked: (string | undefined)[] = [];
    const server = createHttpServer((request, response) => {
      asked.push(request.socket.localAddress);
      response.end('hello');
    });
    const port = await listenOnLoopback(server);
    const ask = (host: string) =>
      new Promise<number | string | undefined>((resolve) =>
        get({ host, port, agent: false }, (response) => resolve(response.resume().statusCode)).once('error', ({ message }) =>
          resolve(message),
        ),
      );
    try {
      expect(await Promise.all(['127.0.0.1', '127.1.2.3'].map(ask))).toEqual([200, 200]);
      for (const other of others) expect(await ask(other)).toMatch(/socket hang up|ECONNRESET/);
      expect(asked.sort()).toEqual(['127.0.0.1', '127.1.2.3']);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('eventually', () => {
  it('returns the first result after earlier failures', async () => {
    const answers: (() => number | undefined)[] = [
      () => undefined,
      () => {
        throw new Error('not yet');
      },
      () => 7,
    ];
    expect(await eventually(() => answers.shift()?.())).toBe(7);
  });

  it('reports the unmet condition and the last error', async () => {
    const failing = eventually(() => Promise.reject(new Error('refused')), { timeoutMs: 20, message: 'No connection' });
    await expect(failing).rejects.toMatchObject({ message: 'No connection (waited 20 ms)', cause: new Error('refused') });
  });
});

describe('testClock', () => {
  it('moves only when the test moves it', () => {
    const clock = testClock(new Date(1_000));
    clock.advanceMs(500);
    expect(clock.now()).toEqual(new Date(1_500));
  });
});
