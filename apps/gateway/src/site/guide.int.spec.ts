import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../testing/gateway';

const INDEX = '<!doctype html><title>Guide</title>';
const PAGE = `<!doctype html><pre>export TIRE_BASE_URL={{PUBLIC_API_URL}}</pre>${'<p>The same again.</p>'.repeat(100)}`;
const STYLE = 'body { margin: 0 }';

describe('the guide at /docs', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'guide-'));
    for (const name of ['en', 'assets', 'samples']) await mkdir(join(folder, 'site', name), { recursive: true });
    await writeFile(join(folder, 'secret.html'), 'outside');
    await writeFile(join(folder, 'site/index.html'), INDEX);
    await writeFile(join(folder, 'site/404.html'), 'There is no such page');
    await writeFile(join(folder, 'site/en/quick-start.html'), PAGE);
    await writeFile(join(folder, 'site/assets/style-0123456789ab.css'), STYLE);
    await writeFile(join(folder, 'site/samples/tread.jpg'), Buffer.alloc(64, 7));
    gateway = await startGateway({ environment: { GUIDE_ROOT: join(folder, 'site') } });
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers = {}) => fetch(`${gateway.origin}${path}`, { headers, redirect: 'manual' });

  it.each(['/docs', '/docs/'])('%s is the first page', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, INDEX]);
  });

  it.each(['/docs/en/quick-start', '/docs/en/quick-start/', '/docs/en/quick-start.html'])(
    '%s is a page that names the address of this installation',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await response.text()).toContain(`<pre>export TIRE_BASE_URL=${gateway.origin}/api/v1</pre>`);
    },
  );

  it('pages are compressed, and not sent again while they are the same', async () => {
    const response = await get('/docs/en/quick-start', { 'accept-encoding': 'br' });
    expect([response.headers.get('content-encoding'), response.headers.get('cache-control')]).toEqual(['br', 'no-cache']);
    expect(Number(response.headers.get('content-length'))).toBeLessThan(PAGE.length / 2);
    const again = await get('/docs/en/quick-start', { 'if-none-match': response.headers.get('etag')! });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('files with a digest in the name are immutable; photographs are sent as they are', async () => {
    const style = await get('/docs/assets/style-0123456789ab.css');
    expect([style.headers.get('cache-control'), await style.text()]).toEqual(['public, max-age=31536000, immutable', STYLE]);
    const photograph = await get('/docs/samples/tread.jpg');
    expect(photograph.headers.get('content-type')).toBe('image/jpeg');
    expect(Buffer.from(await photograph.arrayBuffer())).toEqual(Buffer.alloc(64, 7));
  });

  it('pages load only what is theirs, and cannot be framed', async () => {
    const { headers } = await get('/docs/en/quick-start');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect([headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual(['nosniff', 'DENY']);
  });

  it.each([
    '/docs/nothing',
    '/docs/en',
    '/docs/en/quick-start.md',
    '/docs/../secret.html',
    '/docs/%2e%2e/secret.html',
    '/docs/..%2fsecret',
    '/docs/en/..%5c..%5csecret.html',
    '/docs//evil.example',
  ])('%s gives the page of a 404', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect([response.headers.get('location'), response.headers.get('etag')]).toEqual([null, null]);
    expect(await response.text()).not.toContain('outside');
  });

  it.each(['/docs/reference', '/docs/console-reference'])('%s stays a reference', async (path) => {
    expect(await (await get(path)).text()).toContain('redoc.standalone.js');
  });

  it('without a guide, /docs leads to the reference', async () => {
    const bare = await startGateway();
    try {
      const response = await fetch(`${bare.origin}/docs`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/reference']);
    } finally {
      await bare.stop();
    }
  });
});
