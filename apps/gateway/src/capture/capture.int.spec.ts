import { CreateReportResponse, ErrorEnvelope, IssuedCapture, Report, UploadTargetsResponse } from '@tire/contracts/api';
import { CaptureSession } from '@tire/contracts/capture';
import { AuditLog, Branch, CaptureSettings, DeliveryList, IssuedApiKey, Project, ReportDetail } from '@tire/contracts/console';
import { newId, POSITIONS } from '@tire/kernel';
import { eventually, freePort } from '@tire/test-harness';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { startBehind } from '../testing/behind';
import { Browser, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';

const WASM = Buffer.from('0061736d01000000'.repeat(40), 'hex');
const PAGE =
  '<!doctype html><meta name="capture-embed-origins" content=""><script type="module" src="/capture/assets/main-AbCd1234.js"></script>';
const slotOf = (position: string, image_type = 'tread') => ({ module_type: 'tire', slot: { position, image_type } });

describe('the capture page and its API', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let folder: string;
  let owner: Browser;
  let stranger: Browser;
  let organizationId: string;
  let projectId: string;
  let key: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capture-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'worker.js'), 'keep();');
    await writeFile(join(folder, 'assets/main-AbCd1234.js'), 'start();');
    await writeFile(join(folder, 'assets/run-AbCd1234.wasm'), WASM);
    await writeFile(join(folder, 'assets/run-AbCd1234.wasm.br'), brotliCompressSync(WASM));
    const port = await freePort();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`, { withAssets: true });
    const environment = { CAPTURE_ROOT: folder, OBJECT_STORE_PUBLIC_ORIGIN: 'https://objects.example' };
    gateway = await startGateway({ port, addresses: behind.addresses, environment });
    [owner, stranger] = ['192.0.2.1', '192.0.2.2'].map((address) => new Browser(gateway.origin, address)) as [Browser, Browser];
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    await owner.signIn(made.email);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
    const issued = await owner.call('POST', `/projects/${projectId}/keys`, { body: { name: 'key', scopes: ['report:*'] } });
    key = IssuedApiKey.parse(issued.json).value;
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const api = (method: string, path: string, body?: unknown) => gateway.call(method, path, { key, body });
  const at = (reportId: string, path = '') => `/projects/${projectId}/reports/${reportId}${path}`;

  /** A call of the page. Each test has an address of its own, so that none spends the rate of another. */
  async function call(method: string, path: string, { token, body, address }: { token?: string; body?: unknown; address: string }) {
    const response = await fetch(`${gateway.origin}/capture/api${path}`, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const json: unknown = await response.json();
    const code = response.status < 400 ? undefined : (json as ErrorEnvelope).error.code;
    return { status: response.status, json, code: code as string | undefined, headers: response.headers };
  }
  async function created(over: object = {}) {
    const body = { template: 'tire_4t_0s', callback_url: 'https://partner.example/hook', capture: { language: 'en' }, ...over };
    const response = CreateReportResponse.parse((await api('POST', '/reports', body)).json);
    return { reportId: response.report_id, token: new URL(response.capture_url ?? '').pathname.slice('/c/'.length) };
  }
  const sessionOf = async (token: string, address: string) =>
    CaptureSession.parse((await call('GET', '/session', { token, address })).json);
  async function photographed(token: string, position: string, address: string, over: object = { replaces_asset_id: null }) {
    const targets = await call('POST', '/upload-targets', { token, address, body: { slots: [slotOf(position)] } });
    const [target] = UploadTargetsResponse.parse(targets.json).upload_targets;
    const images = [{ ...slotOf(position), asset_id: target!.asset_id, ...over }];
    return call('POST', '/images', { token, address, body: { images } });
  }

  it('take the photographs of one report, from a link to its share page', async () => {
    const address = '198.51.100.1';
    await owner.call('PATCH', `/projects/${projectId}/partner`, { body: { name: 'Kim Tires', phone: '02-123-4567' } });
    await owner.call('PATCH', `/projects/${projectId}/capture-settings`, { body: { embed_origins: [], shows_share_link: true } });
    await owner.call('PATCH', `/projects/${projectId}/webhook-events`, { body: { events: ['capture.finished'] } });
    const { reportId, token } = await created();
    const first = await sessionOf(token, address);
    expect(first).toMatchObject({
      report_id: reportId,
      state: 'open',
      language: 'en',
      partner: { name: 'Kim Tires', phone_number: '02-123-4567', address: null, opening_hours: null, logo_url: null },
      share_url: null,
    });
    for (const position of POSITIONS) expect((await photographed(token, position, address)).status).toBe(202);
    const published = await eventually(async () => {
      const session = await sessionOf(token, address);
      return session.share_url !== null && session;
    });
    expect(published.slots.map(({ status, recognized }) => [status, recognized])).toEqual(POSITIONS.map(() => ['success', true]));
    expect(published.share_url).toMatch(/^https:\/\/share\.example\/r\//);
    const finished = await call('POST', '/finish', { token, address });
    expect(finished.status).toBe(200);
    expect(CaptureSession.parse(finished.json)).toMatchObject({
      finished_at: expect.any(String),
      state: 'ended',
      ended_reason: 'published',
    });
    const slots = [slotOf('front_left')];
    expect((await call('POST', '/upload-targets', { token, address, body: { slots } })).code).toBe('capture_ended');
    const images = [{ ...slots[0], asset_id: newId(), replaces_asset_id: first.slots[0]!.asset_id }];
    expect((await call('POST', '/images', { token, address, body: { images } })).code).toBe('capture_ended');
    const report = Report.parse((await api('GET', `/reports/${reportId}`)).json);
    expect(report.creation).toEqual({ source_channel: 'mobile_web', mode: 'automatic' });
    expect(report.capture).toMatchObject({ state: 'finished', images: 4 });
    const told = await eventually(async () => {
      const { deliveries } = DeliveryList.parse((await owner.call('GET', `/projects/${projectId}/deliveries`)).json);
      return deliveries.find(({ type, report_id }) => type === 'capture.finished' && report_id === reportId);
    });
    expect(told).toBeDefined();
    const { history } = ReportDetail.parse((await owner.call('GET', at(reportId))).json);
    expect(history.filter(({ what }) => what.startsWith('capture_')).map(({ what, by }) => [what, by?.name])).toEqual([
      ['capture_opened', 'capture'],
      ['capture_finished', 'capture'],
    ]);
  });

  it('a page that names no image to replace adds images, and replaces none that succeeded', async () => {
    const address = '198.51.100.20';
    const { token } = await created();
    expect((await photographed(token, 'front_left', address, {})).status).toBe(202);
    await eventually(async () => (await sessionOf(token, address)).slots[0]!.status === 'success');
    expect((await photographed(token, 'front_left', address, {})).code).toBe('slot_already_succeeded');
  });

  it('tells nothing that was measured, and no key or other report', async () => {
    const address = '198.51.100.2';
    const { token } = await created();
    await photographed(token, 'front_left', address);
    const text = await eventually(async () => {
      const { json } = await call('GET', '/session', { token, address });
      return CaptureSession.parse(json).slots[0]!.status === 'success' && JSON.stringify(json);
    });
    expect(text).not.toMatch(/depth|groove|confidence|engine|callback|"plate|metadata/);
  });

  it('a link is no key, and a key is no link', async () => {
    const address = '198.51.100.3';
    const { reportId, token } = await created();
    expect((await gateway.call('GET', `/reports/${reportId}`, { key: token })).status).toBe(401);
    expect((await call('GET', '/session', { token: key, address })).code).toBe('not_found');
    expect((await call('GET', '/session', { address })).code).toBe('unauthorized');
    expect((await call('GET', '/session', { token: 'x'.repeat(43), address })).code).toBe('not_found');
    const foreign = { module_type: 'tire', slot: { position: 'front_left', image_type: 'sidewall' } };
    expect((await call('POST', '/upload-targets', { token, address, body: { slots: [foreign] } })).code).toBe('validation_error');
    expect((await call('GET', '/reports', { token, address })).status).toBe(404);
  });

  it('shows the branch of the report, and of the project what the branch leaves open', async () => {
    const partner = { name: 'Kim Tires', phone: '02-123-4567', address: '1 Sejong-daero', opening_hours: 'Mon 9-18\nSat 9-12' };
    await owner.call('PATCH', `/projects/${projectId}/partner`, { body: partner });
    const branchOf = async (body: object) =>
      Branch.parse((await owner.call('POST', `/projects/${projectId}/branches`, { body })).json).branch_id;
    const [bare, whole] = [
      await branchOf({ name: 'Gangnam' }),
      await branchOf({ name: 'Mapo', phone: '02-777-0000', address: '2 Mapo-daero', opening_hours: 'Sun' }),
    ];
    const shown = async (branch_id: string) => (await sessionOf((await created({ branch_id })).token, '198.51.100.77')).partner;
    const none = { address: null, opening_hours: null, logo_url: null };
    expect(await shown(bare)).toEqual({ ...none, name: 'Gangnam', phone_number: '02-123-4567' });
    expect(await shown(whole)).toEqual({
      ...none,
      name: 'Mapo',
      phone_number: '02-777-0000',
      address: '2 Mapo-daero',
      opening_hours: 'Sun',
    });
  });

  it('is issued anew and revoked by the partner, at both doors, and by nobody else', async () => {
    const address = '198.51.100.4';
    const { reportId, token } = await created();
    const body = { expires_in_hours: 1, return_url: 'https://shop.example/done' };
    const issued = await api('POST', `/reports/${reportId}/capture-link`, body);
    expect(issued.status).toBe(201);
    const second = new URL(IssuedCapture.parse(issued.json).capture_url).pathname.split('/').at(-1)!;
    expect((await call('GET', '/session', { token, address })).code).toBe('not_found');
    expect(await sessionOf(second, address)).toMatchObject({ return_url: body.return_url, language: 'ko' });
    const other = await gateway.keyWith(['report:*']);
    for (const method of ['POST', 'DELETE']) {
      expect((await gateway.call(method, `/reports/${reportId}/capture-link`, { key: other })).error?.code).toBe('not_found');
      expect((await stranger.call(method, at(reportId, '/capture-link'))).error?.code).toBe('not_found');
    }
    expect((await owner.call('DELETE', at(reportId, '/capture-link'))).status).toBe(200);
    expect(await sessionOf(second, address)).toMatchObject({ state: 'ended', ended_reason: 'revoked', slots: [] });
    const slots = [slotOf('front_left')];
    expect((await call('POST', '/upload-targets', { token: second, address, body: { slots } })).code).toBe('capture_ended');
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=1`)).json);
    expect(entries[0]).toMatchObject({ action: 'report.capture_revoked', subject: reportId });
  });

  it('refuses images and a capture link in one creation, and lengths that are too long', async () => {
    const image = { ...slotOf('front_left'), source: { url: 'https://images.example/measured/1.jpg' } };
    const both = await api('POST', '/reports', { capture: {}, images: [image] });
    expect([both.status, both.error?.param]).toEqual([422, 'capture']);
    expect((await api('POST', '/reports', { capture: { expires_in_hours: 721 } })).error?.param).toBe('capture.expires_in_hours');
    expect((await api('POST', '/reports', { capture: { return_url: 'javascript:alert(1)' } })).error?.param).toBe('capture.return_url');
  });

  it('is a page that only the origins of the project may embed', async () => {
    const settings = { embed_origins: ['https://shop.example', 'https://www.shop.example'], shows_share_link: false };
    const path = `/projects/${projectId}/capture-settings`;
    expect(CaptureSettings.parse((await owner.call('PATCH', path, { body: settings })).json)).toEqual(settings);
    for (const origin of ['*', 'https://*', 'https://x;script-src', 'https://a"', 'http://shop.example', 'https://shop.example/'])
      expect((await owner.call('PATCH', path, { body: { ...settings, embed_origins: [origin] } })).error?.param).toBe('embed_origins[0]');
    expect((await stranger.call('GET', path)).error?.code).toBe('not_found');
    const { token } = await created();
    const open = (name: string) => fetch(`${gateway.origin}/c/${name}`, { headers: { 'x-forwarded-for': '198.51.100.5' } });
    const page = await open(token);
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://shop.example https://www.shop.example');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await page.text()).toContain('content="https://shop.example https://www.shop.example"');
    for (const name of ['x'.repeat(43), 'short']) {
      const unknown = await open(name);
      expect([unknown.status, unknown.headers.get('content-security-policy')]).toEqual([
        200,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
    }
    // The shell is the page of no link and no project, for the service worker; that one answers for capture pages only.
    const shell = await fetch(`${gateway.origin}/capture/shell`);
    expect([shell.status, await shell.text(), shell.headers.get('cache-control')]).toEqual([200, PAGE, 'no-cache']);
    expect(shell.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(shell.headers.get('content-security-policy')).toContain("script-src 'self';");
    const worker = await fetch(`${gateway.origin}/capture/worker.js`);
    expect([worker.status, worker.headers.get('cache-control'), worker.headers.get('service-worker-allowed')]).toEqual([
      200,
      'no-cache',
      '/c/',
    ]);
    expect(worker.headers.get('content-security-policy')).toContain("worker-src 'self'");
    const script = await fetch(`${gateway.origin}/capture/assets/main-AbCd1234.js`);
    expect([script.status, await script.text()]).toEqual([200, 'start();']);
    expect((await fetch(`${gateway.origin}/capture/assets/..%2findex.html`)).status).toBe(404);
    // The worker compiles WebAssembly under the policy of its own file; the page may not.
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(script.headers.get('content-security-policy')).toContain("script-src 'self' 'wasm-unsafe-eval';");
    const wasm = await fetch(`${gateway.origin}/capture/assets/run-AbCd1234.wasm`, { headers: { 'accept-encoding': 'br' } });
    expect(Buffer.from(await wasm.arrayBuffer())).toEqual(WASM);
    expect(['content-type', 'content-encoding', 'cache-control'].map((name) => wasm.headers.get(name))).toEqual([
      'application/wasm',
      'br',
      'public, max-age=31536000, immutable',
    ]);
    expect((await fetch(`${gateway.origin}/capture/assets/run-AbCd1234.wasm.br`)).status).toBe(404);
  });

  it('limits what a link may cost', async () => {
    const address = '198.51.100.7';
    const { token } = await created();
    const slots = POSITIONS.map((position) => slotOf(position));
    const ask = () => call('POST', '/upload-targets', { token, address, body: { slots } });
    const codes: (string | undefined)[] = [];
    while (codes.length < 100 && !codes.includes('rate_limited')) codes.push((await ask()).code);
    expect(codes.at(-1)).toBe('rate_limited');
    expect(codes.length).toBeGreaterThanOrEqual(16);
  });

  it('limits what one address may try', async () => {
    const address = '198.51.100.6';
    const guess = () => call('GET', '/session', { token: `${newId()}0000000`, address });
    let tried = await Promise.all(Array.from({ length: 100 }, guess));
    expect(tried.map(({ code }) => code)).toEqual(tried.map(() => 'not_found'));
    // They come faster than the rate of an address, on any machine.
    while (!tried.some(({ code }) => code === 'rate_limited'))
      tried = await Promise.all(Array.from({ length: 200 }, () => call('GET', '/session', { token: 'malformed', address })));
    const limited = tried.find(({ code }) => code === 'rate_limited')!;
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
  });
});
