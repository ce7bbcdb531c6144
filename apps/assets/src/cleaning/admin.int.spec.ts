import { newId } from '@tire/kernel';
import { spawnTypeScript } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import sharp from 'sharp';
import { runAdmin } from './admin.command';
import { reportPrefix } from '../domain/object-key';
import type { ObjectStore } from '../object-store/object-store';
import { startFakeLedger } from '../testing/fake-ledger.fixture';
import { startImageHost, startWorld } from '../testing/world';
import { OBJECT_STORE } from '../tokens';

const SLOT = 'tire.tread.front_left';
const DAY_MS = 86_400_000;
const NOTHING = { unrecorded: 0, copy: 0, replaced: 0 };

describe('the commands for the object store', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let ledger: Awaited<ReturnType<typeof startFakeLedger>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let jpeg: Buffer;

  beforeAll(async () => {
    host = await startImageHost();
    ledger = await startFakeLedger();
    world = await startWorld(host, { ledgerUrl: ledger.address });
    jpeg = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#333' } })
      .jpeg()
      .toBuffer();
  });

  afterAll(async () => {
    await world?.stop();
    await ledger?.stop();
    await host?.stop();
  });

  async function admin(args: string[], env: NodeJS.ProcessEnv = world.environment) {
    let [out, err] = ['', ''];
    const code = await runAdmin(args, { env, print: (text) => void (out += text), printError: (text) => void (err += text) });
    return { code, out, err };
  }
  const runJson = async (args: string[]) => {
    const { code, out, err } = await admin([...args, '--json']);
    if (out === '') throw new Error(err);
    return { code, ...(JSON.parse(out) as Record<string, unknown>) };
  };
  const objects = () => world.app.get<ObjectStore>(OBJECT_STORE, { strict: false });

  /** Two images, one of them registered. `later` is two days from now. */
  async function someProject() {
    const report = { projectId: newId(), reportId: newId() };
    const [kept, never] = [newId(), newId()];
    for (const assetId of [kept, never])
      await objects().put(`${reportPrefix(report)}${SLOT}/${assetId}`, jpeg, { contentType: 'image/jpeg', cacheControl: 'max-age=60' });
    await world.assets.registerUploads({ ...report, uploads: [{ assetId: kept, slotId: SLOT }] });
    ledger.inUse.add(kept);
    const later = new Date(Date.now() + 2 * DAY_MS).toISOString();
    return { report, kept, later, of: ['--project', report.projectId] };
  }

  it('find no orphans among young objects', async () => {
    const { of } = await someProject();
    expect(await runJson(['check', ...of])).toEqual({ code: 0, objects: 3, rows: 1, foreign: 0, orphans: NOTHING, missing: 0, names: [] });
  });

  it('find and remove orphans and set the exit code', async () => {
    const { of, later } = await someProject();
    const { of: ofAnother } = await someProject();
    const orphans = { unrecorded: 1, copy: 1, replaced: 0 };
    expect(await runJson(['check', ...of, '--as-of', later])).toMatchObject({ code: 1, orphans, missing: 0 });
    expect(await runJson(['clean', ...of, '--as-of', later])).toEqual({ code: 0, ...orphans, failed: 0 });
    expect(await runJson(['check', ...of, '--as-of', later])).toMatchObject({ code: 0, objects: 1, rows: 1, orphans: NOTHING });
    expect(await runJson(['check', ...ofAnother])).toMatchObject({ code: 0, objects: 3 });
  });

  it('find an image whose bytes are gone', async () => {
    const { report, kept, of } = await someProject();
    const [row] = await world.sql<{ object_key: string }>('SELECT object_key FROM assets WHERE asset_id = $1', [kept]);
    await objects().remove(row!.object_key);
    const names = [{ key: row!.object_key, finding: 'missing' }];
    expect(await runJson(['check', ...of])).toMatchObject({ code: 1, missing: 1, names });
    const { code, out } = await admin(['check', ...of]);
    expect(code).toBe(1);
    expect(out).toMatch(/^missing +1$/m);
    expect(out).toMatch(new RegExp(`^missing +${reportPrefix(report)}`, 'm'));
  });

  it.each([[[]], [['sweep']], [['check', 'clean']], [['check', '--project', 'x']], [['clean', '--as-of', 'soon']]])(
    'are not run with %j',
    async (args) => {
      const { code, err } = await admin(args);
      expect([code, err]).toEqual([2, expect.stringContaining('usage')]);
    },
  );

  it('refuse --as-of in production', async () => {
    const env = { ...world.environment, NODE_ENV: 'production', OUTBOUND_ALLOWED_ORIGINS: '' };
    const { code, err } = await admin(['clean', '--as-of', '2030-01-01'], env);
    expect([code, err]).toEqual([1, expect.stringContaining('refused in production')]);
  });

  it('run as a program that exits', async () => {
    const { of, later } = await someProject();
    const child = spawnTypeScript(join(__dirname, '../admin.ts'), ['check', ...of, '--as-of', later], world.environment, 'pipe');
    let out = '';
    child.stdout!.on('data', (chunk) => (out += String(chunk)));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(out).toMatch(/^unrecorded +1$/m);
  });
});
