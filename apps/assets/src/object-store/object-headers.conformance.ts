import type { ObjectStore } from './object-store';

export const put = (url: string, body: Buffer, headers: Record<string, string> = {}) => fetch(url, { method: 'PUT', body, headers });

/** The two headers that a sender chooses: every row of the specification's table, and other valid values. */
export function headersConformance(storeUnderTest: () => ObjectStore, freshKey: () => string, onlyImages: boolean): void {
  let store: ObjectStore;
  beforeAll(() => {
    store = storeUnderTest();
  });

  it.each([
    'max-age=60',
    'max-age=0',
    'no-cache, no-store',
    'public, max-age=60',
    's-maxage=60',
    '60',
    'max-age=3600',
    'public',
    'max-age=59',
    'no-cache',
    'no-store',
    'MAX-AGE="60" ,, ext="a, b"',
    'max-age=60, max-age=3600',
    'max-age=99999999999999999999',
    'private;oops',
    '%20&<>\\"\'=',
    `max-age=60, ext="${'x'.repeat(1_000)}"`,
  ])('keeps Cache-Control %j as sent', async (cacheControl) => {
    const key = freshKey();
    expect((await put(await store.signPut(key, 60), Buffer.from('x'), { 'Cache-Control': cacheControl })).status).toBe(200);
    expect((await store.stat(key))?.cacheControl).toBe(cacheControl);
    const object = await store.open(key);
    object?.body.destroy();
    expect(object?.cacheControl).toBe(cacheControl);
    expect((await fetch(await store.signGet(key, 60))).headers.get('cache-control')).toBe(cacheControl);
  });

  it('stores that no Cache-Control was sent', async () => {
    const key = freshKey();
    expect((await put(await store.signPut(key, 60), Buffer.from('x'))).status).toBe(200);
    expect((await store.stat(key))?.cacheControl).toBeUndefined();
    const object = await store.open(key);
    object?.body.destroy();
    expect(object).toMatchObject({ sizeBytes: 1, cacheControl: undefined });
  });

  const IMAGE_TYPES = ['image/png', 'IMAGE/JPEG', 'image/jpg', 'image/jpeg; charset=binary'];
  const OTHER_TYPES = ['text/html', 'application/x-unheard-of', 'application/x-www-form-urlencoded', 'image/webp', 'image/jpegs', 'x'];

  it.each(onlyImages ? IMAGE_TYPES : [...IMAGE_TYPES, ...OTHER_TYPES])('keeps Content-Type %j as sent', async (type) => {
    const key = freshKey();
    expect((await put(await store.signPut(key, 60), Buffer.from('x'), { 'Content-Type': type })).status).toBe(200);
    expect((await store.stat(key))?.contentType).toBe(type);
    expect((await fetch(await store.signGet(key, 60))).headers.get('content-type')).toBe(type);
  });

  if (!onlyImages) return;
  it.each(OTHER_TYPES)('refuses Content-Type %j, and keeps what was there', async (type) => {
    const key = freshKey();
    const url = await store.signPut(key, 60);
    expect((await put(url, Buffer.from('first'))).status).toBe(200);
    const refused = await put(url, Buffer.from('second, longer'), { 'Content-Type': type });
    expect([refused.status, await refused.text()]).toEqual([415, expect.stringContaining('must be image/jpeg or image/png')]);
    expect(await store.stat(key)).toMatchObject({ sizeBytes: 5 });
  });
}
