import { newId } from '@tire/kernel';
import { Database, readInIndexOrder } from '@tire/platform';
import sharp from 'sharp';
import { displayPrefix, reportPrefix, type ReportIdentity } from '../domain/object-key';
import type { ObjectStore } from '../object-store/object-store';
import { OBJECT_STORE } from '../tokens';
import { startFakeLedger } from '../testing/fake-ledger.fixture';
import { startImageHost, startWorld } from '../testing/world';
import { SELECT_DUE } from './photographs.store';
import { Retention } from './retention';

const DAY_MS = 86_400_000;
const SLOT = 'tire.tread.front_left';

/** Assets and its store as in production; the ledger answers by what the test says. */
describe('photographs that reached their age', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let ledger: Awaited<ReturnType<typeof startFakeLedger>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let retention: Retention;
  let jpeg: Buffer;

  beforeAll(async () => {
    host = await startImageHost();
    ledger = await startFakeLedger();
    world = await startWorld(host, { ledgerUrl: ledger.address });
    retention = world.app.get(Retention, { strict: false });
    jpeg = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#333' } })
      .jpeg()
      .toBuffer();
  });
  afterAll(async () => {
    await world?.stop();
    await ledger?.stop();
    await host?.stop();
  });

  /** Original, its copy as it was uploaded, and two derivatives. */
  async function photograph(report: ReportIdentity): Promise<string> {
    const { targets } = await world.assets.issueTargets({ ...report, slotIds: [SLOT] });
    const { assetId, uploadUrl } = targets[0]!;
    const headers = { 'content-type': 'image/jpeg', 'cache-control': 'max-age=60' };
    expect((await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(jpeg), headers })).status).toBe(200);
    await world.assets.registerUploads({ ...report, uploads: [{ assetId, slotId: SLOT }] });
    await world.assets.signDisplay({ projectId: report.projectId, assetId });
    return assetId;
  }
  const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
  /** Upload targets end by the clock of the machine, so the rows become older and not the clock. */
  const age = (assetId: string, days: number) =>
    world.sql('UPDATE assets SET stored_at = $2 WHERE asset_id = $1', [assetId, daysAgo(days)]);
  const letLastAddressEnd = () =>
    world.sql(`UPDATE assets SET ended_at = ended_at - interval '15 minutes 1 second' WHERE ended_at IS NOT NULL`);
  const newReport = (projectId = newId()): ReportIdentity => ({ projectId, reportId: newId() });
  const objects = async (report: ReportIdentity) =>
    [...(await world.keys(reportPrefix(report))), ...(await world.keys(displayPrefix(report)))].length;
  const shown = ({ projectId }: ReportIdentity, assetId: string) =>
    world.assets.signDisplay({ projectId, assetId }).then(
      ({ url }) => url,
      ({ code }: { code: string }) => code,
    );

  it('have no address from then on, and their bytes go when the last address has ended; all others stay', async () => {
    const [report, held, measuring, other] = [newReport(), newReport(), newReport(), newReport()];
    for (const { projectId } of [report, held, measuring]) ledger.kept.set(projectId, 30);
    ledger.held.add(held.reportId);
    const assets = { due: await photograph(report), held: await photograph(held), measuring: await photograph(measuring) };
    ledger.refused.add(assets.measuring);
    const others = await photograph(other);
    for (const assetId of [...Object.values(assets), others]) await age(assetId, 29.9);
    await retention.sweep();
    const before = await shown(report, assets.due);
    expect(before).toContain('http');
    for (const assetId of [...Object.values(assets), others]) await age(assetId, 30.1);
    const young = await photograph(report);
    await retention.sweep();
    expect(await shown(report, assets.due)).toBe('not_found');
    await expect(world.assets.signRead({ ...report, assetId: assets.due })).rejects.toMatchObject({ code: 'not_found' });
    // Who got the address before can still use it.
    expect((await fetch(before)).status).toBe(200);
    expect(await objects(report)).toBe(10);

    await letLastAddressEnd();
    await retention.sweep();
    expect(await objects(report)).toBe(5);
    expect(await world.sql('SELECT asset_id FROM assets WHERE report_id = $1', [report.reportId])).toEqual([{ asset_id: young }]);
    for (const [each, assetId] of [
      [report, young],
      [held, assets.held],
      [measuring, assets.measuring],
      [other, others],
    ] as const)
      expect([await shown(each, assetId), await objects(each)]).toEqual([expect.stringContaining('http'), 5]);

    ledger.held.clear();
    ledger.refused.clear();
    await retention.sweep();
    await letLastAddressEnd();
    await retention.sweep();
    expect([await objects(held), await objects(measuring), await objects(other)]).toEqual([0, 0, 5]);
    expect((await retention.lag()).get('photographs')).toBe(0);
  });

  it('keep their bytes while a hold that came after their end lasts', async () => {
    const report = newReport();
    ledger.kept.set(report.projectId, 30);
    const assetId = await photograph(report);
    await age(assetId, 31);
    await retention.sweep();
    ledger.held.add(report.reportId);
    await letLastAddressEnd();
    await retention.sweep();
    expect([await shown(report, assetId), await objects(report)]).toEqual(['not_found', 5]);
    ledger.held.clear();
    await retention.sweep();
    expect(await objects(report)).toBe(0);
  });

  it('end without another one of their report that is being measured', async () => {
    const report = newReport();
    ledger.kept.set(report.projectId, 30);
    const [due, measuring] = [await photograph(report), await photograph(report)];
    ledger.refused.add(measuring);
    for (const assetId of [due, measuring]) await age(assetId, 31);
    await retention.sweep();
    expect([await shown(report, due), await shown(report, measuring)]).toEqual(['not_found', expect.stringContaining('http')]);
    ledger.refused.clear();
  });

  it('end although those of an older report cannot be ended', async () => {
    const [broken, other] = [newReport(), newReport()];
    const assets = { broken: await photograph(broken), other: await photograph(other) };
    for (const { projectId } of [broken, other]) ledger.kept.set(projectId, 30);
    await age(assets.broken, 32);
    await age(assets.other, 31);
    ledger.failing.add(broken.reportId);
    await retention.sweep();
    expect([await shown(broken, assets.broken), await shown(other, assets.other)]).toEqual([expect.stringContaining('http'), 'not_found']);
    ledger.failing.clear();
    await retention.sweep();
    expect(await shown(broken, assets.broken)).toBe('not_found');
  });

  it('are removed by whoever comes after a process that ended in the middle', async () => {
    const report = newReport();
    ledger.kept.set(report.projectId, 30);
    const assetId = await photograph(report);
    await age(assetId, 31);
    await Promise.all([retention.sweep(), retention.sweep()]);
    await letLastAddressEnd();
    // It died between the bytes and the row.
    for (const key of await world.keys(displayPrefix(report)))
      await world.app.get<ObjectStore>(OBJECT_STORE, { strict: false }).remove(key);
    await Promise.all([retention.sweep(), retention.sweep()]);
    expect([await objects(report), (await world.sql('SELECT FROM assets WHERE asset_id = $1', [assetId])).length]).toEqual([0, 0]);
  });

  it('are found at the beginning of an index, however many there are', async () => {
    const projectId = newId();
    await world.sql(
      `INSERT INTO assets (asset_id, project_id, report_id, slot_id, object_key, format, sha256, size_bytes, width_px, height_px, stored_at, origin)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), $2, 'none', 'jpeg', decode(repeat('00', 32), 'hex'), 1, 1, 1,
              $3::timestamptz + n * interval '1 second', 'upload' FROM generate_series(1, 20000) n`,
      [projectId, SLOT, daysAgo(400)],
    );
    await world.sql('ANALYZE assets');
    const cut = daysAgo(365);
    const database = world.app.get(Database, { strict: false });
    const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${SELECT_DUE}`;
    const plan = JSON.stringify(await readInIndexOrder(database, explain, [[], [], cut, 200, 25, []]));
    expect(plan).toContain('assets_kept');
    expect(Math.max(...[...plan.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, rows]) => Number(rows)))).toBeLessThan(200);
    await world.sql('DELETE FROM assets WHERE project_id = $1', [projectId]);
  });
});
