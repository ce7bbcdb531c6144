import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLIENT = join(__dirname, '..');
const ROOT = join(CLIENT, '../..');
const PACKED_BYTES_MAX = 50 * 1024;

/** Uses each part of the surface whose types matter, as a consumer with strict settings does. */
const CONSUMER = `
import { TireInspection, ValidationError, slotId, type Report, type SlotId } from '@tire-inspection/client';
import { verifyWebhook, type WebhookEvent } from '@tire-inspection/client/webhooks';

export async function measured(client: TireInspection, file: Blob): Promise<[SlotId, number | null][]> {
  const { report_id } = await client.reports.createFromFiles({ template: 'tire_4t_0s', files: { 'tire.tread.front_left': file } });
  // @ts-expect-error there is no such slot
  client.reports.createFromFiles({ files: { 'tire.tread.roof': file } });
  // @ts-expect-error there is no such field
  client.reports.create({ plateNumber: '1' });
  const report: Report = await client.reports.waitFor(report_id, { until: 'complete', signal: AbortSignal.timeout(1) });
  const depths: [SlotId, number | null][] = [];
  for (const { slot, analysis } of report.slots)
    if (analysis.result && 'aggregated_depth' in analysis.result)
      depths.push([slotId(slot), analysis.result.aggregated_depth?.aggregated_remaining_depth ?? null]);
  for await (const { vehicle } of client.reports.list({ analysis_status: 'partial' })) console.log(vehicle.plate_number?.length);
  return depths;
}
export const place = (error: unknown): string | null => (error instanceof ValidationError ? error.param : null);
export async function completed(payload: string, headers: Headers): Promise<string | undefined> {
  const event: WebhookEvent = await verifyWebhook({ payload, headers, secret: 'whsec_' });
  if (event.type === 'content.ready') return event.data.content_revision;
  if (event.type === 'report.partial' || event.type === 'report.failed' || event.type === 'share.revoked') return event.data.links.self;
  return event.type === 'report.completed' ? event.data.report_id : undefined;
}
`;

describe('the package as it is published', () => {
  let folder: string;
  let packed: { filename: string; size: number; files: { path: string }[] };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tire-package-'));
    execFileSync(process.execPath, [join(CLIENT, 'build.mjs'), join(folder, 'built')], { stdio: 'inherit' });
    const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder, './built'], { cwd: folder, encoding: 'utf8' });
    [packed] = JSON.parse(output) as [typeof packed];
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${packed.filename}`];
    execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const inPackage = (path: string) => join(folder, 'node_modules/@tire-inspection/client', path);
  const node = (script: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' }).trim();

  it('has at most 50 KB, no dependencies, and nothing but the compiled code and its README', () => {
    expect(packed.size).toBeLessThanOrEqual(PACKED_BYTES_MAX);
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as Record<string, unknown>;
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    const others = packed.files.map(({ path }) => path).filter((path) => !/^dist\/((generated|cli)\/)?\w+(\.d\.ts|\.js)$/.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  });

  it('is imported in Node by both of its names', () => {
    const script = "const [a, b] = await Promise.all([import('@tire-inspection/client'), import('@tire-inspection/client/webhooks')]);";
    expect(node(`${script} console.log(typeof a.TireInspection, typeof a.ApiError, a.verifyWebhook === b.verifyWebhook)`)).toBe(
      'function function true',
    );
  });

  it('has a command, which says what it misses', () => {
    const tire = join(folder, 'node_modules/.bin/tire');
    expect(execFileSync(tire, ['--help'], { encoding: 'utf8' })).toContain('tire measure');
    const { status, stderr } = spawnSync(tire, ['measure', 'x.jpg'], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    expect([status, stderr]).toEqual([64, expect.stringMatching(/^tire: TIRE_API_KEY is not set/)]);
    const environment = { PATH: process.env['PATH'], TIRE_API_KEY: 'svc_test_1', TIRE_BASE_URL: 'http://127.0.0.1:1/api/v1' };
    const missing = spawnSync(tire, ['measure', 'x.jpg'], { encoding: 'utf8', env: environment, cwd: folder });
    expect([missing.status, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/^tire: .*the file x\.jpg cannot be opened \(ENOENT\)\.\n$/),
    ]);
  });

  it('has types that a strict consumer compiles with, in Node and for browsers', () => {
    const settings = {
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
      lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
    };
    mkdirSync(join(folder, 'consumer'), { recursive: true });
    writeFileSync(join(folder, 'consumer/main.ts'), CONSUMER);
    for (const [module, moduleResolution] of [
      ['NodeNext', 'NodeNext'],
      ['ESNext', 'Bundler'],
    ]) {
      const config = join(folder, 'consumer/tsconfig.json');
      writeFileSync(
        config,
        JSON.stringify({ compilerOptions: { ...settings, module, moduleResolution, target: 'ES2022' }, include: ['main.ts'] }),
      );
      execFileSync(process.execPath, [join(ROOT, 'node_modules/@typescript/native/bin/tsc'), '-p', config], { stdio: 'inherit' });
    }
  });

  it('has no import but its own files, except in the command, so that browsers load it as it is', () => {
    for (const { path } of packed.files.filter((file) => file.path.endsWith('.js') && !file.path.startsWith('dist/cli/'))) {
      const imported = [...readFileSync(inPackage(path), 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
        ([, name]) => name!,
      );
      expect([path, imported.filter((name) => !name.startsWith('./'))]).toEqual([path, []]);
    }
  });
});
