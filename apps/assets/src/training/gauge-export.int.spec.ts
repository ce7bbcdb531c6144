import { newId } from '@tire/kernel';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { runAdmin } from '../cleaning/admin.command';
import { reportPrefix } from '../domain/object-key';
import type { ObjectStore } from '../object-store/object-store';
import { startFakeLedger } from '../testing/fake-ledger.fixture';
import { startImageHost, startWorld } from '../testing/world';
import { OBJECT_STORE } from '../tokens';

const SLOT = 'tire.tread.front_left';

describe('the export of gauge values', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let ledger: Awaited<ReturnType<typeof startFakeLedger>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let folder: string;

  beforeAll(async () => {
    host = await startImageHost();
    ledger = await startFakeLedger();
    world = await startWorld(host, { ledgerUrl: ledger.address });
    folder = await mkdtemp(join(tmpdir(), 'gauge-'));
  });
  afterAll(async () => {
    await world?.stop();
    await ledger?.stop();
    await host?.stop();
  });

  /** The photograph of a tread, as it was uploaded: with its EXIF orientation. */
  async function photograph(projectId: string, orientation: number) {
    const report = { projectId, reportId: newId() };
    const assetId = newId();
    const image = sharp({ create: { width: 160, height: 120, channels: 3, background: '#333' } }).withMetadata({ orientation });
    const bytes = await image.jpeg().toBuffer();
    const objects = world.app.get<ObjectStore>(OBJECT_STORE, { strict: false });
    await objects.put(`${reportPrefix(report)}${SLOT}/${assetId}`, bytes, { contentType: 'image/jpeg', cacheControl: 'max-age=60' });
    await world.assets.registerUploads({ ...report, uploads: [{ assetId, slotId: SLOT }] });
    return { reportId: report.reportId, slotId: SLOT, assetId, bytes };
  }

  const groove = (measuredMm: number, gaugeMm: number | undefined, x: number, y = 0.5) => ({ measuredMm, gaugeMm, place: { x, y } });

  async function run(projectId: string, to: string) {
    let [out, err] = ['', ''];
    const context = {
      env: world.environment,
      print: (text: string) => void (out += text),
      printError: (text: string) => void (err += text),
    };
    const code = await runAdmin(['export-gauge', '--project', projectId, '--out', to, '--json'], context);
    return { code, err, exported: out && (JSON.parse(out) as unknown) };
  }

  it('has the photographs as they were uploaded, and their grooves in the order in which a person counts them', async () => {
    const projectId = newId();
    const [upright, turned, partly] = [await photograph(projectId, 1), await photograph(projectId, 6), await photograph(projectId, 1)];
    const gone = { reportId: newId(), slotId: SLOT, assetId: newId() };
    // Two pages. The report counts from the outside, here from the right.
    ledger.gauged.set(projectId, [
      [{ ...upright, grooves: [groove(5, 5.1, 0.8), groove(6, 6.1, 0.5), groove(7, 7.1, 0.2)] }],
      [
        // Turned clockwise by a quarter, what is at the bottom of the stored pixels is on the left.
        { ...turned, grooves: [groove(5, 5.2, 0.5, 0.2), groove(6, 6.2, 0.5, 0.8)] },
        { ...partly, grooves: [groove(5, undefined, 0.2), groove(6, 6.3, 0.8)] },
        { ...gone, grooves: [groove(5, 5.4, 0.2)] },
      ],
    ]);
    const to = join(folder, 'all');
    expect(await run(projectId, to)).toEqual({ code: 0, err: '', exported: { photographs: 2, grooves: 5, incomplete: 1, skipped: 1 } });
    expect((await readFile(join(to, 'gauge.csv'), 'utf8')).trimEnd().split('\n')).toEqual([
      'file,groove,depth_mm',
      `${upright.assetId}.jpg,1,7.1`,
      `${upright.assetId}.jpg,2,6.1`,
      `${upright.assetId}.jpg,3,5.1`,
      `${turned.assetId}.jpg,1,6.2`,
      `${turned.assetId}.jpg,2,5.2`,
    ]);
    const readings = (await readFile(join(to, 'readings.csv'), 'utf8')).trimEnd().split('\n');
    expect(readings.slice(0, 2)).toEqual([
      'file,groove,measured_mm,gauge_mm,report_id,slot_id',
      `${upright.assetId}.jpg,1,7,7.1,${upright.reportId},${SLOT}`,
    ]);
    expect(readings.at(-2)).toBe(`${partly.assetId}.jpg,1,5,,${partly.reportId},${SLOT}`);
    expect((await readdir(to)).toSorted()).toEqual(
      [...[upright, turned, partly].map(({ assetId }) => `${assetId}.jpg`), 'gauge.csv', 'readings.csv'].toSorted(),
    );
    expect(await readFile(join(to, `${turned.assetId}.jpg`))).toEqual(turned.bytes);
  });

  it('does not mix with an earlier one, and leaves nothing behind where it fails', async () => {
    const projectId = newId();
    ledger.gauged.set(projectId, [[{ ...(await photograph(projectId, 1)), grooves: [groove(5, 5.1, 0.8)] }]]);
    const to = join(folder, 'twice');
    expect((await run(projectId, to)).code).toBe(0);
    const before = await readdir(to);
    expect((await run(projectId, to)).code).toBe(1);
    expect(await readdir(to)).toEqual(before);
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is refused where the project does not allow it, and has no photograph of another project', async () => {
    const to = join(folder, 'refused');
    expect(await run(newId(), to)).toMatchObject({ code: 1, err: expect.stringContaining('does not allow') });
    expect((await readdir(folder)).filter((name) => name.includes('refused'))).toEqual([]);
    const [projectId, other] = [newId(), newId()];
    ledger.gauged.set(projectId, [[{ ...(await photograph(other, 1)), grooves: [groove(5, 5.1, 0.8)] }]]);
    expect((await run(projectId, to)).exported).toEqual({ photographs: 0, grooves: 0, incomplete: 0, skipped: 1 });
  });

  it('needs a project and a folder', async () => {
    for (const args of [['export-gauge'], ['export-gauge', '--project', newId()], ['export-gauge', '--out', folder]]) {
      let err = '';
      expect(await runAdmin(args, { env: world.environment, print: () => {}, printError: (text) => void (err += text) })).toBe(2);
      expect(err).toContain('usage');
    }
  });
});
