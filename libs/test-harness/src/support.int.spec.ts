import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually';
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
