import { IMAGE_BYTES_MAX } from '@tire/contracts/limits';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { headersConformance, put } from './object-headers.conformance';
import { removeUnder, type ObjectStore } from './object-store';

export interface StoreUnderTest {
  readonly store: ObjectStore;
  /** Returns when an address that was signed for this many seconds has expired. */
  expire(lifetimeSeconds: number): Promise<void>;
}

export interface Traits {
  /** False: concurrent PUTs may be mixed, a listing has one page, and ranges beyond the end are errors. */
  readonly isExact?: boolean;
  /** False: the server lists folder by folder. */
  readonly isOrdered?: boolean;
  /** True: a PUT that declares another type than JPEG or PNG is refused. S3 cannot. */
  readonly onlyImages?: boolean;
}

const changed = (url: string, change: (address: URL) => void): string => {
  const address = new URL(url);
  change(address);
  return address.href;
};

const SIGNATURE = /^(x-amz-)?signature$/i;
const EXPIRY = /^(x-amz-)?expires$/i;

/** Replaces the value of the parameter whose name matches. */
const tampered = (url: string, name: RegExp, change: (value: string) => string): string =>
  changed(url, ({ searchParams }) => {
    for (const [key, value] of [...searchParams]) if (name.test(key)) searchParams.set(key, change(value));
  });

/** The tests that every adapter must pass. Each test has its own keys. */
export function objectStoreConformance(
  start: () => Promise<StoreUnderTest>,
  { isExact = true, isOrdered = true, onlyImages = false }: Traits = {},
): void {
  let store: ObjectStore;
  let expire: StoreUnderTest['expire'];
  const freshKey = (name = 'object'): string => `conformance/${randomBytes(8).toString('hex')}/${name}`;

  beforeAll(async () => {
    ({ store, expire } = await start());
  });

  const read = async (key: string): Promise<Buffer | undefined> => {
    const object = await store.open(key);
    return object && buffer(object.body);
  };

  it('passes its check', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });

  it('has no object under a key that was never written', async () => {
    const key = freshKey();
    expect(await store.stat(key)).toBeUndefined();
    expect(await store.open(key)).toBeUndefined();
    expect((await fetch(await store.signGet(key, 60))).status).toBe(404);
    await expect(store.remove(key)).resolves.toBeUndefined();
  });

  it('stores bytes of a signed PUT and returns them to a signed GET, with the headers as sent', async () => {
    const key = freshKey();
    const bytes = randomBytes(100_000);
    expect((await put(await store.signPut(key, 60), bytes, { 'Content-Type': 'image/jpeg', 'Cache-Control': 'max-age=60' })).status).toBe(
      200,
    );
    expect(await store.stat(key)).toEqual({ sizeBytes: bytes.length, contentType: 'image/jpeg', cacheControl: 'max-age=60' });
    const answer = await fetch(await store.signGet(key, 60));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('cache-control')).toBe('max-age=60');
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('shows facts and first bytes without the rest', async () => {
    const [key, empty] = [freshKey(), freshKey('empty')];
    const bytes = randomBytes(100_000);
    const headers = { contentType: 'image/png', cacheControl: 'max-age=60' };
    await store.put(key, bytes, headers);
    await store.put(empty, Buffer.alloc(0), headers);
    expect(await store.peek(key, 64)).toEqual({ sizeBytes: bytes.length, ...headers, start: bytes.subarray(0, 64) });
    if (isExact) expect(await store.peek(empty, 64)).toEqual({ sizeBytes: 0, ...headers, start: Buffer.alloc(0) });
    expect(await store.peek(freshKey('nothing'), 64)).toBeUndefined();
  });

  it('keeps bytes and headers of the last of two PUTs, shorter or longer', async () => {
    const key = freshKey();
    const url = await store.signPut(key, 60);
    for (const [body, cacheControl] of [
      ['a long first one', 'max-age=60'],
      ['short', undefined],
      ['', 'no-store'],
      ['and a longer one again', 'public'],
    ] as const) {
      const headers = { 'Content-Type': 'image/png', ...(cacheControl === undefined ? {} : { 'Cache-Control': cacheControl }) };
      expect((await put(url, Buffer.from(body), headers)).status).toBe(200);
      expect(await store.stat(key)).toEqual({ sizeBytes: body.length, contentType: 'image/png', cacheControl });
      expect((await read(key))?.toString()).toBe(body);
    }
  });

  headersConformance(() => store, freshKey, onlyImages);

  it('puts, opens and overwrites without an address', async () => {
    const key = freshKey();
    await store.put(key, Buffer.from('first'), { contentType: 'image/png', cacheControl: undefined });
    await store.put(key, Buffer.from('second, longer'), { contentType: 'image/jpeg', cacheControl: 'max-age=60' });
    const object = await store.open(key);
    expect(object).toMatchObject({ sizeBytes: 14, contentType: 'image/jpeg', cacheControl: 'max-age=60' });
    expect((await buffer(object!.body)).toString()).toBe('second, longer');
  });

  it('serves ranges', async () => {
    const key = freshKey();
    await store.put(key, Buffer.from('0123456789'), { contentType: 'image/png', cacheControl: undefined });
    const url = await store.signGet(key, 60);
    const some = await fetch(url, { headers: { Range: 'bytes=2-4' } });
    expect([some.status, some.headers.get('content-range'), await some.text()]).toEqual([206, 'bytes 2-4/10', '234']);
    const rest = await fetch(url, { headers: { Range: 'bytes=7-' } });
    expect([rest.status, await rest.text()]).toEqual([206, '789']);
    if (isExact) expect((await fetch(url, { headers: { Range: 'bytes=10-' } })).status).toBe(416);
  });

  it('refuses an address with another signature, key, expiry or method', async () => {
    const [key, other] = [freshKey(), freshKey()];
    for (const each of [key, other]) await store.put(each, Buffer.from('kept'), { contentType: 'image/png', cacheControl: undefined });
    const [getUrl, putUrl] = await Promise.all([store.signGet(key, 60), store.signPut(key, 60)]);
    const flip = (text: string): string => (text.startsWith('a') ? 'b' : 'a') + text.slice(1);
    for (const change of [
      (url: string) => tampered(url, SIGNATURE, flip),
      (url: string) => tampered(url, SIGNATURE, (value) => value.slice(1)),
      (url: string) => tampered(url, EXPIRY, (value) => String(Number(value) + 1)),
      (url: string) => url.replace(key, other),
    ]) {
      expect((await fetch(change(getUrl))).status).toBe(403);
      expect((await put(change(putUrl), Buffer.from('forged'))).status).toBe(403);
    }
    expect((await put(getUrl, Buffer.from('forged'))).status).toBe(403);
    expect((await fetch(putUrl)).status).toBe(403);
    for (const each of [key, other]) expect((await read(each))?.toString()).toBe('kept');
  });

  it('refuses an address that has expired', async () => {
    const key = freshKey();
    await store.put(key, Buffer.from('kept'), { contentType: 'image/png', cacheControl: undefined });
    const [getUrl, putUrl] = await Promise.all([store.signGet(key, 1), store.signPut(key, 1)]);
    await expire(1);
    expect((await fetch(getUrl)).status).toBe(403);
    expect((await put(putUrl, Buffer.from('late'))).status).toBe(403);
    expect((await read(key))?.toString()).toBe('kept');
  });

  it('lists by prefix, without removed objects', async () => {
    const folder = freshKey('');
    for (const name of ['a', 'a/b', 'ab', 'c/d/e'])
      await store.put(`${folder}${name}`, Buffer.from(name), { contentType: undefined, cacheControl: undefined });
    const names = async (prefix: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const key of store.list(`${folder}${prefix}`)) found.push(key.slice(folder.length));
      return found.sort();
    };
    expect(await names('')).toEqual(['a', 'a/b', 'ab', 'c/d/e']);
    expect(await names('a')).toEqual(['a', 'a/b', 'ab']);
    expect(await names('c/')).toEqual(['c/d/e']);
    expect(await names('z')).toEqual([]);
    await store.remove(`${folder}a`);
    expect(await names('')).toEqual(['a/b', 'ab', 'c/d/e']);
    expect((await fetch(await store.signGet(`${folder}a`, 60))).status).toBe(404);
  });

  it('lists in order and continues after any key, existing or not', async () => {
    const folder = freshKey('');
    const nothing = { contentType: undefined, cacheControl: undefined };
    const inOrder = isOrdered
      ? ['a-b/c', 'a.b/c', 'a/b', 'a/b.1', 'a/b/c', 'a/c', 'a0/b', 'b']
      : ['a/b', ...(isExact ? ['a/b.1'] : []), 'a/c', 'b/a', 'c'];
    for (const name of inOrder.toReversed()) await store.put(`${folder}${name}`, Buffer.from('x'), nothing);
    const behind = async (after: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const key of store.list(folder, `${folder}${after}`)) found.push(key.slice(folder.length));
      return found;
    };
    expect(await behind('')).toEqual(inOrder);
    for (const [index, name] of inOrder.entries()) expect(await behind(name)).toEqual(inOrder.slice(index + 1));
    expect(await behind('a/bb')).toEqual(inOrder.slice(inOrder.indexOf('a/c')));
    expect(await behind('e')).toEqual([]);
  });

  it('removes everything under a prefix and nothing else, also when repeated', async () => {
    const folder = freshKey('');
    const nothing = { contentType: undefined, cacheControl: undefined };
    // A page of a listing has 1,000 keys at most. s3rver fails on a second page.
    const names = [...Array.from({ length: isExact ? 1_001 : 100 }, (_, index) => `in/a/${index}`), 'in/a.b', 'in', 'inside/x', 'other'];
    while (names.length > 0) await Promise.all(names.splice(-50).map((name) => store.put(`${folder}${name}`, Buffer.from('x'), nothing)));
    const before: string[] = [];
    for await (const key of store.list(`${folder}in/a/`)) before.push(key);
    expect(new Set(before).size).toBe(isExact ? 1_001 : 100);
    for (let time = 0; time < 2; time += 1) {
      await removeUnder(store, `${folder}in/`);
      const left: string[] = [];
      for await (const key of store.list(folder)) left.push(key.slice(folder.length));
      expect(left.sort()).toEqual(['in', 'inside/x', 'other']);
    }
    await removeUnder(store, freshKey(''));
  });

  it('stores an object of 20 MB', async () => {
    const key = freshKey();
    const bytes = randomBytes(IMAGE_BYTES_MAX);
    expect((await put(await store.signPut(key, 60), bytes)).status).toBe(200);
    expect((await read(key))?.equals(bytes)).toBe(true);
  });

  it('accepts forty concurrent PUTs to different keys', async () => {
    const folder = freshKey('');
    const bodies = Array.from({ length: 40 }, (_, index) => Buffer.alloc(100_000 + index, index));
    const keys = bodies.map((_, index) => `${folder}${index}`);
    const answers = await Promise.all(keys.map(async (key, index) => put(await store.signPut(key, 60), bodies[index]!)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    for (const [index, key] of keys.entries()) expect((await read(key))?.equals(bodies[index]!)).toBe(true);
  });

  it('accepts concurrent PUTs to one key and keeps one of them, bytes and headers', async () => {
    const key = freshKey();
    const url = await store.signPut(key, 60);
    const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(300_000, 97 + index));
    const answers = await Promise.all(bodies.map((body, index) => put(url, body, { 'Cache-Control': `max-age=${index}` })));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    const object = await store.open(key);
    const bytes = await buffer(object!.body);
    const winner = bodies.findIndex((body) => body.equals(bytes));
    if (!isExact) return;
    expect(winner).toBeGreaterThanOrEqual(0);
    expect(object!.cacheControl).toBe(`max-age=${winner}`);
  });
}
