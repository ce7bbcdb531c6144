import { DiscardResponse } from '@tire/contracts/api';
import { newId } from '@tire/kernel';
import { heldReports, readInIndexOrder } from '@tire/platform';
import { copyReport } from '../testing/many-reports';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { creationRequest, refusalOf, startWorld, treadMeasurement, type World } from '../testing/world';
import { HELD_OF_ALL } from '../holds/holds.store';
import { findDueReports, SELECT_DUE } from './retention.store';

const DAY_MS = 86_400_000;

let peer: AssetsPeer;
let world: World;

beforeAll(async () => {
  peer = await startAssetsPeer();
  world = await startWorld({ assetsUrl: peer.address, holdersUrl: peer.address });
});
afterAll(async () => {
  await world?.stop();
  await peer?.close();
});

const create = async (projectId: string, over: Parameters<typeof creationRequest>[0] = {}) => {
  const { reportId } = await world.create(creationRequest({ projectId, templateKey: 'tire_4t_0s', images: [], ...over }));
  return { projectId, reportId };
};
const choose = (projectId: string, kind: string, days?: number) => world.ledger.chooseRetention({ projectId, kind, days });
const hold = (report: { projectId: string; reportId: string }) => world.ledger.holdReport({ ...report, reason: 'Case 7' });
const exists = async ({ reportId }: { reportId: string }) =>
  (await world.asOwner('SELECT FROM reports WHERE report_id = $1', [reportId])).length > 0;
const readCode = async (key: { projectId: string; reportId: string }) =>
  (await world.ledger.getReports({ keys: [key], acceptsPart: true })).answers[0]!.errorCode;

describe('reports of live projects', () => {
  it('go when their project keeps them no longer; others stay, and so do held ones until they are released', async () => {
    const [short, usual, forever] = [newId(), newId(), newId()];
    await choose(short, 'reports', 60);
    await choose(forever, 'reports', 0);
    const due = await create(short);
    const held = await create(short);
    const ofOthers = [await create(usual), await create(forever)];
    await hold(held);
    world.clock.advanceMs(60 * DAY_MS);
    const young = await create(short);
    world.clock.advanceMs(1);
    expect((await world.retention.lag()).get('reports')).toBeGreaterThan(0);
    await world.retention.sweep();
    expect(await Promise.all([due, held, young, ...ofOthers].map(exists))).toEqual([false, true, true, true, true]);
    expect(peer.removed.filter((entry) => entry.endsWith(due.reportId))).toHaveLength(3);

    world.clock.advanceMs(1_100 * DAY_MS);
    expect(await world.ledger.releaseReport(held)).toEqual({ released: true });
    expect(await world.ledger.releaseReport(held)).toEqual({ released: false });
    await world.retention.sweep();
    expect(await Promise.all([held, young, ...ofOthers].map(exists))).toEqual([false, false, false, true]);
    expect((await world.retention.lag()).get('reports')).toBe(0);
  });

  it('are those of no other project: each is judged by the choice of its own, and has the default again without one', async () => {
    const [one, other] = [newId(), newId()];
    await choose(one, 'reports', 30);
    await choose(one, 'photographs', 30);
    const [mine, theirs] = [await create(one), await create(other)];
    const rules = async (projectId: string, projectMode = 'live') => (await world.ledger.getRetention({ projectId, projectMode })).rules;
    expect(await rules(one)).toEqual([
      { kind: 'reports', days: 30, defaultDays: 1_095 },
      { kind: 'photographs', days: 30, defaultDays: 0 },
      { kind: 'usage', days: undefined, defaultDays: 1_825 },
    ]);
    expect((await rules(other, 'test'))[0]).toEqual({ kind: 'reports', days: undefined, defaultDays: 30 });
    expect(await world.ledger.listRetention({ kind: 'photographs' })).toMatchObject({ projects: [{ projectId: one, days: 30 }] });
    await choose(one, 'reports');
    world.clock.advanceMs(31 * DAY_MS);
    await world.retention.sweep();
    expect([await exists(mine), await exists(theirs)]).toEqual([true, true]);
    for (const [kind, days] of [
      ['reports', 29],
      ['callbacks', 30],
      ['usage', 0],
    ] as const)
      expect((await refusalOf(choose(one, kind, days))).code).toBe('validation_error');
  });

  it('go on after a process that ended in the middle: what it began is finished, and what is left is found again', async () => {
    const projectId = newId();
    await choose(projectId, 'reports', 30);
    const reports = [await create(projectId), await create(projectId), await create(projectId)];
    world.clock.advanceMs(30 * DAY_MS + 1);
    // As after a death between the first commit and the calls to the other services.
    await world.asOwner('UPDATE reports SET purge_at = now(), handover_at = $2 WHERE report_id = $1', [reports[0]!.reportId, new Date(0)]);
    await world.retention.sweep();
    expect(await Promise.all(reports.map(exists))).toEqual([true, false, false]);
    await world.reconciler.sweep();
    expect(await exists(reports[0]!)).toBe(false);
  });

  it('go although one before them cannot be removed, and the lag tells of one whose removal does not end', async () => {
    const projectId = newId();
    await choose(projectId, 'reports', 30);
    const [broken, other] = [await create(projectId), await create(projectId)];
    world.clock.advanceMs(30 * DAY_MS + 1);
    await world.asOwner(`
      CREATE FUNCTION keep_report() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$;
      CREATE TRIGGER keep_report BEFORE UPDATE ON reports FOR EACH ROW
        WHEN (OLD.report_id = '${broken.reportId}') EXECUTE FUNCTION keep_report()`);
    await world.retention.sweep();
    expect(await Promise.all([broken, other].map(exists))).toEqual([true, false]);
    await world.asOwner('DROP FUNCTION keep_report CASCADE');
    peer.failing.add('content');
    await world.retention.sweep();
    world.clock.advanceMs(DAY_MS);
    expect((await world.retention.lag()).get('reports')).toBeGreaterThanOrEqual(DAY_MS / 1_000);
    peer.failing.clear();
    await world.reconciler.sweep();
    expect(await exists(broken)).toBe(false);
  });

  it('take turns: a project with many holds up no other, and each portion reads the beginning of an index', async () => {
    const [many, few] = [newId(), newId()].toSorted();
    const now = world.clock.now();
    const { reportId } = await create(newId());
    const old = (projectId: string, days: number) => ({
      project_id: `'${projectId}'`,
      created_at: `'${new Date(now.getTime() - days * DAY_MS).toISOString()}'::timestamptz + n * interval '1 second'`,
    });
    await copyReport(world, reportId, 20_000, old(many!, 2_000));
    await copyReport(world, reportId, 1, old(few!, 1_999));
    const cut = new Date(now.getTime() - 1_095 * DAY_MS);
    const found = await findDueReports(world.database, { projectIds: [], cuts: [], otherwise: cut }, cut, 16);
    expect(found.map(({ projectId }) => projectId)).toContain(few);
    expect(found.filter(({ projectId }) => projectId === many)).toHaveLength(2);
    const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${SELECT_DUE}`;
    const text = JSON.stringify(await readInIndexOrder(world.database, explain, [[], [], cut, 100, 13, cut]));
    const held = await world.database.systemQuery(`EXPLAIN (FORMAT JSON) ${HELD_OF_ALL}`, [few, reportId, 1_000]);
    expect(JSON.stringify(held)).toContain('reports_held');
    await world.asOwner('DELETE FROM reports WHERE project_id = ANY($1)', [[many, few]]);
    expect(text).not.toContain('Seq Scan');
    expect(Math.max(...[...text.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, rows]) => Number(rows)))).toBeLessThan(200);
  });
});

describe('counts of usage', () => {
  it('go after their time, by project', async () => {
    const [usual, short] = [newId(), newId()];
    await choose(short, 'usage', 400);
    const now = world.clock.now().getTime();
    for (const projectId of [usual, short])
      for (const days of [10, 500, 2_000])
        await world.asOwner(
          `WITH quarters AS (INSERT INTO usage_quarters VALUES ($1, $2, 'reports', 1))
           INSERT INTO usage_days VALUES ($1, ($2::timestamptz)::date, 'reports', 1)`,
          [projectId, new Date(now - days * DAY_MS)],
        );
    await world.retention.sweep();
    const left = (table: string, projectId: string) => world.asOwner(`SELECT FROM ${table} WHERE project_id = $1`, [projectId]);
    for (const table of ['usage_quarters', 'usage_days'])
      expect([(await left(table, usual)).length, (await left(table, short)).length]).toEqual([2, 1]);
  });
});

describe('a report under legal hold', () => {
  it('keeps its data when it is discarded: access ends, and the removal follows its release', async () => {
    const projectId = newId();
    const report = await create(projectId, { plateNumber: '12가 3456' });
    await hold(report);
    const discard = async () => DiscardResponse.parse(JSON.parse((await world.ledger.discardReport(report)).responseJson.toString()));
    const answer = await discard();
    expect(await discard()).toEqual(answer);
    expect(await readCode(report)).toBe('not_found');
    expect((await refusalOf(hold(report))).code).toBe('report_discarded');
    await world.reconciler.sweep();
    await world.retention.sweep();
    const plate = () => world.asOwner('SELECT plate_number, cleared_at FROM reports WHERE report_id = $1', [report.reportId]);
    expect(await plate()).toEqual([{ plate_number: '12가 3456', cleared_at: null }]);
    expect(peer.removed.filter((entry) => entry.endsWith(report.reportId))).toEqual([]);
    const { reports } = await world.ledger.listHeldReports({ projectId, limit: 10 });
    expect(reports).toMatchObject([{ ...report, reason: 'Case 7', plateNumber: '12가 3456', isDiscarded: true }]);
    expect((await world.ledger.listHeldReports({ projectId: newId(), limit: 10 })).reports).toEqual([]);
    expect((await world.ledger.listHeldReports({ ...report, limit: 10 })).reports).toEqual(reports);
    expect((await world.ledger.listHeldReports({ projectId, reportId: newId(), limit: 10 })).reports).toEqual([]);
    const ofAll = await heldReports(world.ledger);
    expect(ofAll).toContain(report.reportId);
    const after = { afterProjectId: projectId, after: report.reportId };
    expect((await world.ledger.listHeldReports({ ...after, limit: 10 })).reports).toHaveLength(
      ofAll.length - 1 - ofAll.indexOf(report.reportId),
    );
    expect((await refusalOf(world.ledger.listHeldReports({ after: report.reportId, limit: 10 }))).param).toBe('after_project_id');

    await world.ledger.releaseReport(report);
    expect(await plate()).toMatchObject([{ plate_number: null }]);
    expect(peer.removed.filter((entry) => entry.endsWith(report.reportId))).toHaveLength(3);
    expect(await discard()).toEqual(answer);
  });

  it('cannot be that of another project, and has a reason', async () => {
    const report = await create(newId());
    expect((await refusalOf(hold({ ...report, projectId: newId() }))).code).toBe('not_found');
    expect((await refusalOf(world.ledger.holdReport({ ...report, reason: ' ' }))).code).toBe('validation_error');
    expect(await world.ledger.releaseReport({ ...report, projectId: newId() }).catch(() => 'refused')).toBe('refused');
  });
});

describe('photographs whose time is over', () => {
  async function measured() {
    const request = creationRequest({ templateKey: 'tire_4t_0s', images: creationRequest().images.slice(0, 1) });
    const { projectId } = request;
    const { reportId } = await world.create(request);
    await world.publishFetched(projectId, reportId, request.images[0]!.slotId);
    const [work] = await world.received.analyzeTread.of(reportId, 1);
    await world.publishFinished(work!, { $case: 'tread', value: treadMeasurement() });
    await world.settled();
    return { projectId, reportId, slotId: request.images[0]!.slotId, assetId: work!.assetId, analysisId: work!.analysisId };
  }

  it('leave the report as it was, and are not measured again', async () => {
    const { projectId, reportId, slotId, assetId } = await measured();
    const before = await world.report(projectId, reportId);
    const other = newId();
    expect(await world.ledger.endImages({ projectId, reportId, assetIds: [assetId, other] })).toEqual({ assetIds: [assetId, other] });
    expect(await world.ledger.endImages({ projectId, reportId, assetIds: [assetId] })).toEqual({ assetIds: [assetId] });
    expect(await world.report(projectId, reportId)).toEqual(before);
    const { answers } = await world.ledger.getContentPointers({ keys: [{ projectId, reportId }] });
    expect(answers[0]!.pointer!.hasEndedImages).toBe(true);
    expect(await refusalOf(world.ledger.analyzeSlots({ projectId, reportId, slotIds: [slotId] }))).toEqual({
      code: 'validation_error',
      param: 'slots[0].slot',
    });
    const { moments } = await world.ledger.getReportHistory({ projectId, reportId });
    expect(moments.filter(({ what }) => what === 'image_ended')).toHaveLength(1);
  });

  it('stay while their report is held or is being measured', async () => {
    const { projectId, reportId, slotId, assetId, analysisId } = await measured();
    const end = async () => (await world.ledger.endImages({ projectId, reportId, assetIds: [assetId] })).assetIds;
    await hold({ projectId, reportId });
    expect(await end()).toEqual([]);
    await world.ledger.releaseReport({ projectId, reportId });
    await world.ledger.analyzeSlots({ projectId, reportId, slotIds: [slotId] });
    expect(await end()).toEqual([]);
    const work = await world.received.analyzeTread.last(reportId, (message) => message.analysisId !== analysisId);
    await world.publishFinished(work, { $case: 'tread', value: treadMeasurement() });
    await world.settled();
    expect(await end()).toEqual([assetId]);
  });
});
