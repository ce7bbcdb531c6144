import type { FetchImage } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { findRegistrationState, insertAssets, LOCK_KEY, lockUnlessDiscarded } from '../assets/asset.store';
import { DiscardSweeper } from './discard.sweeper';
import { reportPrefix, type ReportIdentity } from '../domain/object-key';
import { FetchService } from '../fetching/fetch.service';
import { startImageHost, startWorld } from '../testing/world';

const SLOT = 'tire.tread.front_left';

describe('a discarded report', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let jpeg: Buffer;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host);
    jpeg = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#333' } })
      .jpeg()
      .toBuffer();
    host.answers.set('/jpeg', () => ({ status: 200, body: jpeg }));
  });

  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  const newReport = (): ReportIdentity => ({ projectId: newId(), reportId: newId() });
  const put = (url: string) =>
    fetch(url, { method: 'PUT', body: new Uint8Array(jpeg), headers: { 'content-type': 'image/jpeg', 'cache-control': 'max-age=60' } });
  const issue = async (report: ReportIdentity) => (await world.assets.issueTargets({ ...report, slotIds: [SLOT] })).targets[0]!;
  const register = (report: ReportIdentity, assetId: string) =>
    world.assets.registerUploads({ ...report, uploads: [{ assetId, slotId: SLOT }] });
  const uploaded = async (report: ReportIdentity) => {
    const target = await issue(report);
    await put(target.uploadUrl);
    await register(report, target.assetId);
    return target;
  };
  const fetchWork = (report: ReportIdentity, path: string): FetchImage => ({
    ...report,
    slotId: SLOT,
    assetId: newId(),
    url: `${host.origin}${path}`,
    analysisId: newId(),
  });
  const fetchNow = (work: FetchImage) => world.app.get(FetchService, { strict: false }).fetch(work, new AbortController().signal);
  const stored = async ({ projectId, reportId }: ReportIdentity) => ({
    rows: (await world.sql('SELECT 1 FROM assets WHERE project_id = $1 AND report_id = $2', [projectId, reportId])).length,
    objects: (await world.keys(reportPrefix({ projectId, reportId }))).length,
  });
  const NOTHING = { rows: 0, objects: 0 };
  const tombstones = ({ projectId, reportId }: ReportIdentity) =>
    world.sql<{ discarded_at: Date; sweep_after: Date | null }>(
      'SELECT discarded_at, sweep_after FROM discarded_reports WHERE project_id = $1 AND report_id = $2',
      [projectId, reportId],
    );
  /** Waits for a marker that is published after everything that could have been published about the asset. */
  const expectNothingPublished = async (assetId: string) => {
    const marker = fetchWork(newReport(), '/jpeg');
    await fetchNow(marker);
    await world.results(marker.assetId);
    expect(world.received.filter((message) => message.assetId === assetId)).toEqual([]);
  };
  const sweeper = () => world.app.get(DiscardSweeper, { strict: false });
  const letTargetsExpire = ({ reportId }: ReportIdentity) =>
    world.sql(`UPDATE discarded_reports SET sweep_after = now() - interval '1 second' WHERE report_id = $1`, [reportId]);

  it('has no bytes and no rows after the first and the second discard, and keeps its tombstone', async () => {
    const report = newReport();
    await uploaded(report);
    await put((await issue(report)).uploadUrl);
    await fetchNow(fetchWork(report, '/jpeg'));
    expect(await stored(report)).toEqual({ rows: 2, objects: 4 });
    await world.assets.discardReport(report);
    expect(await stored(report)).toEqual(NOTHING);
    const [first] = await tombstones(report);
    await expect(world.assets.discardReport(report)).resolves.toEqual({});
    expect(await tombstones(report)).toEqual([first]);
    expect(first!.sweep_after!.getTime() - first!.discarded_at.getTime()).toBeGreaterThan(7_200_000);
  });

  it('may have no assets', async () => {
    await expect(world.assets.discardReport(newReport())).resolves.toEqual({});
  });

  it('accepts no upload and serves no image', async () => {
    const report = newReport();
    const [kept, unregistered] = [await uploaded(report), await issue(report)];
    await world.assets.discardReport(report);
    expect((await put(unregistered.uploadUrl)).status).toBe(200);
    for (const { assetId } of [kept, unregistered])
      await expect(register(report, assetId)).rejects.toMatchObject({ code: 'report_discarded' });
    await expect(world.assets.signRead({ ...report, assetId: kept.assetId })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('fetches and publishes nothing', async () => {
    host.answers.set('/discarded', () => ({ status: 200, body: jpeg }));
    const work = fetchWork(newReport(), '/discarded');
    await world.assets.discardReport(work);
    await fetchNow(work);
    expect(host.requests).not.toContain('/discarded');
    await expectNothingPublished(work.assetId);
  });

  it.each([
    ['brings an image', () => ({ status: 200, body: jpeg })],
    ['fails', () => ({ status: 404 })],
  ])('stores and publishes nothing of a running fetch that %s', async (what, answer) => {
    const path = `/slow-${encodeURIComponent(what)}`;
    let release = (): void => undefined;
    const hostMayAnswer = new Promise<void>((resolve) => (release = resolve));
    host.answers.set(path, () => hostMayAnswer.then(answer));
    const work = fetchWork(newReport(), path);
    const fetching = fetchNow(work);
    await eventually(async () => host.requests.includes(path));
    await world.assets.discardReport(work);
    release();
    await fetching;
    expect(await stored(work)).toEqual(NOTHING);
    await expectNothingPublished(work.assetId);
  });

  it('has also no asset that is being recorded at that moment: the discard waits for it', async () => {
    const report = newReport();
    const { assetId } = await uploaded(report);
    const database = world.app.get(Database, { strict: false });
    const [asset] = (await findRegistrationState(database, report, [assetId])).recorded;
    let discarding: Promise<unknown> = Promise.resolve();
    await database.withProject(report.projectId, async (tx) => {
      expect(await lockUnlessDiscarded(tx, report.reportId)).toBe(true);
      expect(await insertAssets(tx, report, [{ ...asset!, assetId: newId() }], { displayTries: 0 })).toEqual(['now']);
      discarding = world.assets.discardReport(report);
      await eventually(async () => {
        const waiting = await world.sql(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database =
          (SELECT oid FROM pg_database WHERE datname = current_database())`);
        return waiting.length > 0;
      });
    });
    await discarding;
    expect(await stored(report)).toEqual(NOTHING);
  });

  it('has no bytes of a registration that it overtook', async () => {
    const report = newReport();
    const { assetId, uploadUrl } = await issue(report);
    await put(uploadUrl);
    await world.sql('BEGIN');
    await world.sql(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [report.reportId]);
    const registering = register(report, assetId);
    const refused = expect(registering).rejects.toMatchObject({ code: 'report_discarded' });
    await eventually(async () => (await stored(report)).objects === 2);
    await world.sql('INSERT INTO discarded_reports VALUES ($1, $2, now(), now())', [report.projectId, report.reportId]);
    await world.sql('COMMIT');
    await refused;
    expect(await stored(report)).toEqual({ rows: 0, objects: 1 });
    await world.assets.discardReport(report);
    expect(await stored(report)).toEqual(NOTHING);
    await sweeper().sweep();
  });

  it('is closed although its bytes could not be removed, and the next discard removes them', async () => {
    const report = newReport();
    const { assetId } = await uploaded(report);
    const folder = join(world.objectsRoot, 'objects', reportPrefix(report).slice(0, -1));
    await rename(folder, `${folder}-aside`);
    await symlink(folder, folder);
    await expect(world.assets.discardReport(report)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await world.sql('SELECT 1 FROM assets WHERE report_id = $1', [report.reportId])).toHaveLength(1);
    await expect(world.assets.signRead({ ...report, assetId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(register(report, assetId)).rejects.toMatchObject({ code: 'report_discarded' });
    await rm(folder);
    await rename(`${folder}-aside`, folder);
    expect(await stored(report)).toEqual({ rows: 1, objects: 2 });
    await world.assets.discardReport(report);
    expect(await stored(report)).toEqual(NOTHING);
  });

  it('is swept once, by one instance, of uploads after the discard', async () => {
    const [report, later] = [newReport(), newReport()];
    const { uploadUrl } = await issue(report);
    for (const each of [report, later]) await world.assets.discardReport(each);
    await put(uploadUrl);
    expect(await sweeper().sweep()).toBe(0);
    expect(await stored(report)).toEqual({ rows: 0, objects: 1 });
    await letTargetsExpire(report);
    const claimed = await Promise.all([sweeper().sweep(), sweeper().sweep()]);
    expect(claimed.toSorted()).toEqual([0, 1]);
    expect(await stored(report)).toEqual(NOTHING);
    expect(await tombstones(report)).toMatchObject([{ sweep_after: null }]);
    expect(await tombstones(later)).toMatchObject([{ sweep_after: expect.any(Date) }]);
    expect(await sweeper().sweep()).toBe(0);
  });

  it('is swept again after a failure, which finishes an incomplete discard', async () => {
    const report = newReport();
    await uploaded(report);
    const folder = join(world.objectsRoot, 'objects', reportPrefix(report).slice(0, -1));
    await rename(folder, `${folder}-aside`);
    await symlink(folder, folder);
    await expect(world.assets.discardReport(report)).rejects.toMatchObject({ code: 'service_unavailable' });
    await letTargetsExpire(report);
    expect(await sweeper().sweep()).toBe(1);
    expect((await tombstones(report))[0]!.sweep_after!.getTime()).toBeGreaterThan(Date.now());
    await rm(folder);
    await rename(`${folder}-aside`, folder);
    await letTargetsExpire(report);
    expect(await sweeper().sweep()).toBe(1);
    expect(await stored(report)).toEqual(NOTHING);
    expect(await tombstones(report)).toMatchObject([{ sweep_after: null }]);
  });

  it('belongs to its project: a discard of the same id in another project changes nothing', async () => {
    const report = newReport();
    const { assetId } = await uploaded(report);
    await world.assets.discardReport({ ...report, projectId: newId() });
    expect(await stored(report)).toEqual({ rows: 1, objects: 2 });
    await expect(world.assets.signRead({ ...report, assetId })).resolves.toBeDefined();
    await expect(uploaded(report)).resolves.toBeDefined();
  });
});
