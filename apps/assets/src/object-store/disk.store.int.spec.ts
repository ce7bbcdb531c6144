import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { eventually, freePort, tempDir, testClock, type TestClock } from '@tire/test-harness';
import { type FileHandle, mkdir, open, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { DiskStore } from './disk.store';
import { serveDiskStore } from './disk.routes';
import { objectStoreConformance } from './object-store.conformance';

@Module({})
class EmptyModule {}

const MAX_BYTES = 21 * 1024 * 1024;

describe('objects on disk', () => {
  let app: NestFastifyApplication;
  let store: DiskStore;
  let root: string;
  let port: number;
  let clock: TestClock;

  beforeAll(async () => {
    [root, port] = await Promise.all([tempDir(), freePort()]);
    clock = testClock(new Date());
    store = new DiskStore({ root, publicUrl: `http://127.0.0.1:${port}`, secret: 's'.repeat(32), maxBytes: MAX_BYTES, clock });
    app = await NestFactory.create<NestFastifyApplication>(EmptyModule, new FastifyAdapter(), { logger: false });
    serveDiskStore(app, store, MAX_BYTES);
    await app.listen(port, '127.0.0.1');
  });

  afterAll(async () => {
    await app?.close();
    await rm(root, { recursive: true, force: true });
  });

  objectStoreConformance(
    async () => ({
      store,
      expire: async (lifetimeSeconds) => void clock.advanceMs((lifetimeSeconds + 1) * 1000),
    }),
    { onlyImages: true },
  );

  const unfinished = () => readdir(join(root, 'unfinished'));

  /** Sends a request as it is: clients would normalize the path. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(text));
      let answer = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
      socket.on('error', reject).on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
    });

  it.each(['../../etc/passwd', '..%2f..%2fetc%2fpasswd', '%2e%2e/%2e%2e/x', 'a/%00', '/etc/passwd', 'a%5c..%5cb', ''])(
    'serves no file outside of the folder: %j',
    async (path) => {
      const status = await raw(
        `GET /objects/${path}?expires=99999999999&signature=${'A'.repeat(43)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(status).toMatch(/ (400|403|404) /);
      await expect(store.signGet(decodeURIComponent(path), 60)).rejects.toThrow('Not an object key');
      await expect(store.put(decodeURIComponent(path), Buffer.from('x'), { contentType: '', cacheControl: '' })).rejects.toThrow();
    },
  );

  it('sends CORS headers for uploads and reads, also with a refusal', async () => {
    const origin = 'https://console.example';
    const preflightHeaders = {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'cache-control,content-type',
    };
    const url = await store.signPut('cors/image', 60);
    const preflight = await fetch(url, { method: 'OPTIONS', headers: preflightHeaders });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('cache-control, content-type');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const upload = await fetch(url, {
      method: 'PUT',
      headers: { origin, 'cache-control': 'max-age=60', 'content-type': 'image/png' },
      body: 'x',
    });
    const read = await fetch(await store.signGet('cors/image', 60), { headers: { origin } });
    const refused = await fetch(url.replace('signature=', 'signature=x'), { method: 'PUT', headers: { origin }, body: 'x' });
    expect([upload, read, refused].map(({ status }) => status)).toEqual([200, 200, 403]);
    for (const { headers } of [upload, read, refused]) expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('refuses a body above the limit, announced or not, and leaves no file', async () => {
    const url = await store.signPut('limits/too-large', 60);
    const chunk = Buffer.alloc(1024 * 1024);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    for (const body of [Buffer.alloc(MAX_BYTES + 1), endless]) {
      const answer = await fetch(url, { method: 'PUT', body, duplex: 'half' } as RequestInit).catch(() => undefined);
      // A client may see a broken connection instead of the response.
      if (answer) expect(answer.status).toBe(413);
    }
    expect(await store.stat('limits/too-large')).toBeUndefined();
    expect(await unfinished()).toEqual([]);
  });

  it('stores nothing of an aborted upload', async () => {
    const url = new URL(await store.signPut('limits/broken', 60));
    await raw(`PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf`);
    await eventually(async () => (await unfinished()).length === 0);
    expect(await store.stat('limits/broken')).toBeUndefined();
  });

  it('sends headers that keep uploads from running in a browser', async () => {
    await store.put('page', Buffer.from('<script>1</script>'), { contentType: 'text/html', cacheControl: undefined });
    const { headers } = await fetch(await store.signGet('page', 60));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it('serves HEAD like GET, without the bytes', async () => {
    await store.put('head', Buffer.from('12345'), { contentType: 'image/png', cacheControl: 'max-age=60' });
    const answer = await fetch(await store.signGet('head', 60), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '5', '']);
  });

  it('flushes the bytes and every folder with a new entry', async () => {
    const flushed: string[] = [];
    const probe = await open(root, 'r');
    const prototype = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const { sync } = prototype;
    const spy = jest.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      flushed.push(relative(root, await readlink(`/proc/self/fd/${this.fd}`)).replace(/^(unfinished.).*/, '$1'));
      return sync.call(this);
    });
    const put = async (key: string): Promise<string[]> => {
      flushed.length = 0;
      await store.put(key, Buffer.from('x'), { contentType: '', cacheControl: '' });
      return [...flushed];
    };
    expect(await put('flush/a/b/one')).toEqual(['unfinished/', 'objects/flush/a/b', 'objects/flush/a', 'objects/flush', 'objects']);
    expect(await put('flush/a/b/two')).toEqual(['unfinished/', 'objects/flush/a/b']);
    expect(await put('flush/a/c/one')).toEqual(['unfinished/', 'objects/flush/a/c', 'objects/flush/a']);
    spy.mockRestore();
  });

  it('removes unfinished files of killed processes, and no others', async () => {
    await mkdir(join(root, 'unfinished'), { recursive: true });
    for (const [name, ageMs] of Object.entries({ old: 7_200_000, young: 60_000 })) {
      const path = join(root, 'unfinished', name);
      await writeFile(path, 'half');
      await utimes(path, new Date(), new Date(clock.now().getTime() - ageMs));
    }
    await store.removeAbandoned();
    expect(await unfinished()).toEqual(['young']);
  });
});
