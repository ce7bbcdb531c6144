import { CreateReportResponse, DiscardResponse } from '@tire/contracts/api';
import { EVENTS } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { creationRequest, refusalOf, startWorld, treadMeasurement, type World } from '../testing/world';
import { VehicleBackfill } from '../vehicles/backfill';

const OVERDUE_MS = 60_000;
const DAY_MS = 86_400_000;

let peer: AssetsPeer;
let world: World;

beforeAll(async () => {
  peer = await startAssetsPeer();
  world = await startWorld({ overdueMs: OVERDUE_MS, assetsUrl: peer.address, holdersUrl: peer.address });
});

afterAll(async () => {
  await world?.stop();
  await peer?.close();
});

beforeEach(() => peer.failing.clear());

interface Named {
  readonly projectId: string;
  readonly reportId: string;
}

async function measured(over: Parameters<typeof creationRequest>[0] = {}) {
  const request = creationRequest({
    templateKey: 'tire_4t_0s',
    images: creationRequest().images.slice(0, 1),
    plateNumber: '12가 3456',
    ...over,
  });
  const { projectId } = request;
  const { reportId } = await world.create(request);
  await world.publishFetched(projectId, reportId, request.images[0]!.slotId);
  const [work] = await world.received.analyzeTread.of(reportId, 1);
  await world.publishFinished(work!, { $case: 'errorCode', value: 'tread_not_found' });
  await world.received.analysisEnded.of(reportId, 1);
  return { projectId, reportId, request, work: work! };
}

const discard = async ({ projectId, reportId }: Named) =>
  DiscardResponse.parse(JSON.parse((await world.ledger.discardReport({ projectId, reportId })).responseJson.toString()));

const stored = async (reportId: string) => {
  const count = async (table: string) =>
    Number((await world.asOwner(`SELECT count(*) AS value FROM ${table} WHERE report_id = '${reportId}'`))[0]!['value']);
  return {
    reports: await count('reports'),
    slots: await count('slots'),
    analyses: await count('analyses'),
    analysis_revisions: await count('analysis_revisions'),
    analysis_revision_slots: await count('analysis_revision_slots'),
    report_history: await count('report_history'),
    idempotency_records: await count('idempotency_records'),
  };
};

const readCode = async ({ projectId, reportId }: Named) =>
  (await world.ledger.getReports({ keys: [{ projectId, reportId }], acceptsPart: true })).answers[0]!.errorCode;

const mutations = ({ projectId, reportId }: Named) => ({
  mutability: world.ledger.getMutability({ projectId, reportId }),
  targets: world.ledger.issueUploadTargets({ projectId, reportId, slotIds: ['nonsense'] }),
  images: world.ledger.registerImages({ projectId, reportId, replace: false, images: [{ slotId: 'nonsense', assetId: 'x' }] }),
  analyze: world.ledger.analyzeSlots({ projectId, reportId, slotIds: ['nonsense'] }),
  publication: world.ledger.getPublicationState({ projectId, reportId, forChange: true }),
});

describe('discard', () => {
  it('leaves no plate of a vehicle without reports, and none without its vehicle where a report comes at the same time', async () => {
    const projectId = newId();
    const create = () => world.create(creationRequest({ projectId, plateNumber: '12가3456' }));
    const names = async () => (await world.asOwner(`SELECT value FROM vehicle_aliases WHERE project_id = '${projectId}'`)).length;
    const [first, second] = [await create(), await create()];
    await discard({ projectId, ...first });
    expect(await names()).toBe(1);
    await discard({ projectId, ...second });
    expect(await names()).toBe(0);
    for (let round = 0; round < 10; round++) {
      const last = await create();
      const [next] = await Promise.all([create(), discard({ projectId, ...last })]);
      const attached = await world.asOwner(
        `SELECT FROM vehicle_reports JOIN vehicle_aliases USING (alias_id) JOIN vehicles USING (vehicle_id) WHERE report_id = '${next.reportId}'`,
      );
      expect([attached.length, await names()]).toEqual([1, 1]);
      await discard({ projectId, ...next });
    }
  });

  it('takes the plate and the VIN that no other report of the vehicle has, and the changes that name them', async () => {
    const projectId = newId();
    const create = async (over: Parameters<typeof creationRequest>[0]) => {
      world.clock.advanceMs(DAY_MS);
      return world.create(creationRequest({ projectId, externalVehicleId: 'car-1', ...over }));
    };
    const stays = await create({ plateNumber: '11가-1111' });
    const goes = await create({ plateNumber: '22나2222', vin: 'KMHXX00XXXX000001' });
    const names = async () =>
      (await world.asOwner(`SELECT value FROM vehicle_aliases WHERE project_id = '${projectId}' ORDER BY value`)).map(({ value }) => value);
    expect(await names()).toEqual(['11가1111', '22나2222', 'KMHXX00XXXX000001', 'car-1']);
    await discard({ projectId, ...goes });
    expect(await names()).toEqual(['11가1111', 'car-1']);
    const [vehicle] = await world.asOwner(`SELECT vehicle_id AS id FROM vehicles WHERE project_id = '${projectId}'`);
    const from = world.clock.now().toISOString();
    await world.ledger.splitVehicle({ projectId, vehicleId: String(vehicle!['id']), plateNumber: '11가1111', from });
    const sold = await create({ plateNumber: '11가1111', externalVehicleId: undefined });
    const changes = async () => (await world.asOwner(`SELECT plate FROM vehicle_changes WHERE project_id = '${projectId}'`)).length;
    await discard({ projectId, ...stays });
    expect([await names(), await changes()]).toEqual([['11가1111'], 0]);
    await discard({ projectId, ...sold });
    const vehicles = await world.asOwner(`SELECT FROM vehicles WHERE project_id = '${projectId}'`);
    expect([await names(), vehicles]).toEqual([[], []]);
  });

  it('leaves nothing to be attached where it comes between the reading of a portion of the backfill and its work', async () => {
    const projectId = newId();
    const create = (plateNumber: string) => world.create(creationRequest({ projectId, plateNumber }));
    const [first, second] = [await create('33다3333'), await create('44라4444')];
    const ids = `('${first.reportId}', '${second.reportId}')`;
    await world.asOwner(`
      DELETE FROM vehicle_aliases WHERE project_id = '${projectId}'; DELETE FROM vehicles WHERE project_id = '${projectId}';
      DELETE FROM vehicle_reports WHERE report_id IN ${ids}; UPDATE vehicle_backfill SET after_id = '${newId(0)}', done = false`);
    world.clock.advanceMs(DAY_MS);
    const running = await world.inProject(projectId, async (tx) => {
      await tx.rows(`SELECT FROM reports WHERE report_id = '${first.reportId}' FOR UPDATE`);
      const attached = new VehicleBackfill(world.database, world.clock).attach();
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR SHARE OF reports%'`;
      await eventually(async () => (await world.database.systemQuery(waits)).length > 0);
      await discard({ projectId, ...second });
      return { attached };
    });
    await running.attached;
    const names = await world.asOwner(`SELECT value FROM vehicle_aliases WHERE project_id = '${projectId}'`);
    expect(names).toEqual([{ value: '33다3333' }]);
  });

  it('ends access, removes the data of every service, and gives the same answer again', async () => {
    const report = await measured({ idempotencyKey: newId(), externalInspectionId: newId() });
    const { reportId, request } = report;
    const answer = await discard(report);
    expect(answer.report_id).toBe(reportId);
    world.clock.advanceMs(5);
    expect(await discard(report)).toEqual(answer);
    expect(peer.removed.filter((entry) => entry.endsWith(reportId)).sort()).toEqual(
      ['assets', 'content', 'share'].map((name) => `${name} ${reportId}`),
    );

    expect(await readCode(report)).toBe('not_found');
    for (const call of Object.values(mutations(report))) expect(await refusalOf(call)).toEqual({ code: 'report_discarded', param: null });
    expect(await refusalOf(world.ledger.createReport(request))).toMatchObject({ code: 'report_discarded' });
    expect(await refusalOf(world.ledger.createReport({ ...request, idempotencyKey: undefined }))).toMatchObject({
      code: 'report_discarded',
    });
    expect(await stored(reportId)).toEqual({
      reports: 1,
      slots: 0,
      analyses: 0,
      analysis_revisions: 0,
      analysis_revision_slots: 0,
      report_history: 0,
      idempotency_records: 1,
    });
    const [row] = await world.asOwner(`SELECT plate_number, metadata_json FROM reports WHERE report_id = '${reportId}'`);
    expect(row).toEqual({ plate_number: null, metadata_json: '{}' });
  });

  it('keeps the usage of the report, also usage that was not counted yet', async () => {
    const report = await measured();
    const { projectId } = report;
    const [fromDay, toDay] = [-1, 1].map((days) => new Date(world.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10));
    const used = async () => (await world.ledger.getUsage({ projectId, fromDay: fromDay!, toDay: toDay! })).days;
    const before = await used();
    expect(before).toMatchObject([{ reports: 1, images: 1, failures: { tread_not_found: 1 } }]);
    await discard(report);
    expect(await used()).toEqual(before);
    world.clock.advanceMs(3 * 60_000);
    await world.usage.count();
    expect(await used()).toEqual(before);
  });

  it('is incomplete while a service is unavailable; access has ended, and the same call finishes it', async () => {
    const report = await measured();
    const token = (await world.ledger.getPublicationState({ ...named(report), forChange: false })).registration!.shareToken;
    peer.failing.add('assets');
    expect(await refusalOf(discard(report))).toMatchObject({ code: 'discard_incomplete' });
    expect(await readCode(report)).toBe('not_found');
    expect(await refusalOf(world.ledger.findShareToken({ shareToken: token }))).toMatchObject({ code: 'not_found' });
    expect((await stored(report.reportId)).analysis_revisions).toBe(1);
    peer.failing.clear();
    const { discarded_at } = await discard(report);
    expect((await stored(report.reportId)).analysis_revisions).toBe(0);
    expect((await discard(report)).discarded_at).toBe(discarded_at);
  });

  it('is finished by the reconciler without another call', async () => {
    const report = await measured();
    peer.failing.add('share');
    expect(await refusalOf(discard(report))).toMatchObject({ code: 'discard_incomplete' });
    peer.failing.clear();
    await world.reconciler.sweep();
    expect((await stored(report.reportId)).slots).toBe(1);
    world.clock.advanceMs(OVERDUE_MS + 1);
    await world.reconciler.sweep();
    expect((await stored(report.reportId)).slots).toBe(0);
  });

  it('ignores later facts', async () => {
    const report = await measured();
    await discard(report);
    await world.publishFinished(report.work, { $case: 'tread', value: treadMeasurement() });
    await world.publish(EVENTS.publicationChanged, { ...named(report), version: 9, publicationStatus: 'published' });
    await world.settled();
    expect(await stored(report.reportId)).toMatchObject({ slots: 0, analysis_revisions: 0 });
  });

  it("is refused for another project's report", async () => {
    const report = await measured();
    expect(await refusalOf(discard({ ...report, projectId: newId() }))).toMatchObject({ code: 'not_found' });
    expect(await readCode(report)).toBe('');
  });
});

const named = ({ projectId, reportId }: Named): Named => ({ projectId, reportId });

describe('retention', () => {
  it('removes old reports of test projects, and no others', async () => {
    const test = await measured({ projectMode: 'test', idempotencyKey: newId(), externalInspectionId: newId() });
    const discarded = await measured({ projectMode: 'test' });
    const live = await measured();
    await discard(discarded);
    await world.retention.sweep();
    expect(await readCode(test)).toBe('');

    world.clock.advanceMs(30 * DAY_MS + 1);
    const young = await measured({ projectMode: 'test' });
    peer.failing.add('content');
    await world.retention.sweep();
    expect(await readCode(test)).toBe('not_found');
    for (const call of Object.values(mutations(test))) expect(await refusalOf(call)).toMatchObject({ code: 'report_purge_pending' });
    expect(await refusalOf(discard(test))).toMatchObject({ code: 'report_purge_pending' });
    expect(await refusalOf(world.ledger.createReport({ ...test.request, idempotencyKey: undefined }))).toMatchObject({
      code: 'report_purge_pending',
    });

    peer.failing.clear();
    world.clock.advanceMs(OVERDUE_MS + 1);
    await world.reconciler.sweep();
    const nothing = {
      reports: 0,
      slots: 0,
      analyses: 0,
      analysis_revisions: 0,
      analysis_revision_slots: 0,
      report_history: 0,
      idempotency_records: 0,
    };
    expect(await stored(test.reportId)).toEqual(nothing);
    expect(await stored(discarded.reportId)).toEqual(nothing);
    expect(await refusalOf(discard(test))).toMatchObject({ code: 'not_found' });
    expect(await readCode(live)).toBe('');
    expect(await readCode(young)).toBe('');
    const again = await world.ledger.createReport({ ...test.request, idempotencyKey: undefined });
    expect(CreateReportResponse.parse(JSON.parse(again.responseJson.toString())).report_id).not.toBe(test.reportId);
  });

  it('is done once by concurrent processes', async () => {
    const request = creationRequest({ projectMode: 'test', images: [], templateKey: 'tire_4t_0s' });
    const made = await Promise.all(Array.from({ length: 10 }, () => world.create(request)));
    world.clock.advanceMs(30 * DAY_MS + 1);
    await Promise.all([world.retention.sweep(), world.retention.sweep(), world.retention.sweep()]);
    for (const { reportId } of made) expect((await stored(reportId)).reports).toBe(0);
  });

  it('deletes old answers in as many batches as needed', async () => {
    const { reportId } = await measured({ idempotencyKey: newId() });
    await world.asOwner(
      `INSERT INTO idempotency_records SELECT project_id, idempotency_key || n, request_digest, report_id, http_status, response_json, created_at
       FROM idempotency_records, generate_series(1, 2500) AS n WHERE report_id = '${reportId}'`,
    );
    world.clock.advanceMs(8 * DAY_MS);
    await world.retention.sweep();
    expect((await stored(reportId)).idempotency_records).toBe(0);
  });

  it('keeps the answer to a key for a week, and its report forever', async () => {
    const report = await measured({ idempotencyKey: newId() });
    world.clock.advanceMs(6 * DAY_MS);
    await world.retention.sweep();
    expect((await stored(report.reportId)).idempotency_records).toBe(1);
    world.clock.advanceMs(2 * DAY_MS);
    await world.retention.sweep();
    expect(await stored(report.reportId)).toMatchObject({ idempotency_records: 0, reports: 1 });
    await eventually(async () => (await readCode(report)) === '');
  });
});
