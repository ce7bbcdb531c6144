import { CONSOLE_OPERATIONS } from '@tire/contracts/operations';
import { newId } from '@tire/kernel';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from '../testing/browser';
import { startGateway } from '../testing/gateway';

const INDEX =
  '<!doctype html><title>Console</title><div id="root"></div><script type="module" src="/console/assets/index-AbCd1234.js"></script>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))});`;

/** Operations without a body; no provider is configured here. */
const OPEN: Partial<Record<string, number>> = { getSignInOptions: 200, signInWithOpenId: 404, openIdCallback: 303 };

describe('the console site', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    await mkdir(join(folder, 'site/assets'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), 'outside');
    await writeFile(join(folder, 'site/index.html'), INDEX);
    await writeFile(join(folder, 'site/assets/index-AbCd1234.js'), SCRIPT);
    const environment = { CONSOLE_ROOT: join(folder, 'site'), OBJECT_STORE_PUBLIC_ORIGIN: 'https://objects.example' };
    gateway = await startGateway({ environment });
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers = {}) => fetch(`${gateway.origin}${path}`, { headers, redirect: 'manual' });

  it.each(['/console', '/console/', '/console/reports/1', '/console/accept-invitation'])('%s returns the first page', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, INDEX]);
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  it('pages allow only their own scripts and cannot be framed', async () => {
    const { headers } = await get('/console');
    const policy = headers.get('content-security-policy')!;
    const directives = new Map(policy.split('; ').map((directive) => [directive.split(' ', 1)[0], directive] as const));
    expect(directives.get('script-src')).toBe("script-src 'self'");
    expect(directives.get('style-src')).toBe("style-src 'self'");
    expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'");
    expect(directives.get('connect-src')).toBe("connect-src 'self' https://objects.example");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect([headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual(['DENY', 'no-referrer']);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it("Kakao's script runs in a frame of its own origin only, with its digest", async () => {
    expect((await get('/console')).headers.get('content-security-policy')).not.toContain('kakao');
    const { headers, status, text } = await (async () => {
      const response = await get('/console/kakao-frame');
      return { headers: response.headers, status: response.status, text: await response.text() };
    })();
    const policy = headers.get('content-security-policy')!;
    const script = 'https://t1.kakaocdn.net/kakao_js_sdk/2.7.4/kakao.min.js';
    expect([status, headers.get('content-type'), headers.get('x-frame-options')]).toEqual([200, 'text/html; charset=utf-8', null]);
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-\S+' https:\/\/t1\.kakaocdn\.net\/\S+; style-src 'sha256-\S+'; /);
    expect(policy).toContain("frame-ancestors 'self'; sandbox allow-scripts");
    expect(policy).not.toMatch(/unsafe|\*|allow-same-origin|connect-src/);
    expect(text).toContain(`<script src="${script}" integrity="sha384-`);
  });

  it('files with a digest in the name are immutable, and responses are compressed', async () => {
    const plain = await get('/console/assets/index-AbCd1234.js', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, SCRIPT]);
    const small = await get('/console/assets/index-AbCd1234.js', { 'accept-encoding': 'gzip, br' });
    expect([small.headers.get('content-encoding'), await small.text()]).toEqual(['br', SCRIPT]);
    expect(Number(small.headers.get('content-length'))).toBeLessThan(200);
    const etag = plain.headers.get('etag')!;
    expect((await get('/console/assets/index-AbCd1234.js', { 'if-none-match': etag })).status).toBe(304);
  });

  it.each([
    '/console/../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/..%2fsecret.txt',
    '/console/assets/..%5c..%5csecret.txt',
    '/console/secret.txt',
    '/console/missing.js',
    '/console//evil.example/x.js',
  ])('%s gives 404', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('outside');
  });

  it.each(['//evil.example', '/console//evil.example', '/console/?next=https://evil.example', '/console/%2f%2fevil.example'])(
    '%s causes no redirect',
    async (path) => {
      const response = await get(path);
      expect(response.headers.get('location')).toBeNull();
      expect([200, 404]).toContain(response.status);
    },
  );

  it('every operation of the document exists and needs a session', async () => {
    const browser = new Browser(gateway.origin);
    const document = await browser.call('GET', '/openapi.json');
    expect(Object.keys((document.json as { paths: object }).paths)).toEqual([...new Set(CONSOLE_OPERATIONS.map(({ path }) => path))]);
    for (const { method, path, access, operationId } of CONSOLE_OPERATIONS) {
      const { status } = await browser.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, newId()), {
        body: method === 'get' ? undefined : {},
      });
      expect([operationId, status]).toEqual([operationId, access === 'everyone' ? (OPEN[operationId] ?? 422) : 401]);
    }
  });
});
