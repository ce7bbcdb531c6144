import { newId } from '@tire/kernel';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { copyReport } from '../testing/many-reports';
import { named, removalOf, type Named } from '../testing/removal.fixture';
import { creationRequest, refusalOf, startWorld, type World } from '../testing/world';

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

const { measured, discard, stored, readCode } = removalOf(() => world);

describe('erasure', () => {
  const erase = (report: Named) => world.ledger.eraseReport(named(report));
  const removed = ({ reportId }: Named) => peer.removed.filter((entry) => entry.endsWith(reportId)).toSorted();
  const found = async (projectId: string, kind: string, value: string) =>
    (await world.ledger.findSubjectReports({ projectId, kind, value, limit: 10 })).reportIds.toSorted();
  const nothing = {
    reports: 0,
    slots: 0,
    analyses: 0,
    analysis_revisions: 0,
    analysis_revision_slots: 0,
    report_history: 0,
    idempotency_records: 0,
  };

  it('leaves no row of a live report, measured or discarded before, and no name of its inspection; and its usage', async () => {
    const inspection = newId();
    const report = await measured({ idempotencyKey: newId(), externalInspectionId: inspection });
    const { projectId } = report;
    const [fromDay, toDay] = [-1, 1].map((days) => new Date(world.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10));
    const used = async () => (await world.ledger.getUsage({ projectId, fromDay: fromDay!, toDay: toDay! })).days;
    const before = await used();
    await erase(report);
    await erase(report);
    expect(await stored(report.reportId)).toEqual(nothing);
    expect(await used()).toEqual(before);
    const discarded = await measured({ projectId, externalInspectionId: inspection });
    await discard(discarded);
    await erase(discarded);
    expect(await stored(discarded.reportId)).toEqual(nothing);
    const rows = await world.asOwner(`SELECT FROM reports WHERE external_inspection_id = '${inspection}'`);
    expect(rows).toEqual([]);
  });

  it("goes on after a service was away, and is another project's nothing", async () => {
    const report = await measured();
    await expect(erase({ ...report, projectId: newId() })).resolves.toEqual({});
    expect(await readCode(report)).toBe('');
    expect(removed(report)).toEqual([]);
    peer.failing.add('assets');
    expect(await refusalOf(erase(report))).toMatchObject({ code: 'discard_incomplete' });
    expect(await readCode(report)).toBe('not_found');
    peer.failing.clear();
    await erase(report);
    expect(await stored(report.reportId)).toEqual(nothing);
  });

  it('removes what the other services have of a report that the ledger lost', async () => {
    const lost = { projectId: newId(), reportId: newId() };
    peer.failing.add('content');
    expect(await refusalOf(erase(lost))).toMatchObject({ code: 'discard_incomplete' });
    peer.failing.clear();
    peer.removed.length = 0;
    await erase(lost);
    expect(removed(lost)).toEqual(['assets', 'content', 'share'].map((name) => `${name} ${lost.reportId}`));
  });

  it('finds the reports of a plate however it is written, of a VIN and of an own id with the vehicle, and of one id', async () => {
    const projectId = newId();
    const create = async (over: Parameters<typeof creationRequest>[0]) =>
      (await world.create(creationRequest({ projectId, ...over }))).reportId;
    const vin = 'KMHXX00XXXX000009';
    const byVin = await create({ plateNumber: '55마5555', vin, externalVehicleId: 'car-9' });
    const byPlate = await create({ plateNumber: '55마-5555' });
    const other = await create({ plateNumber: '55마5556' });
    const noPlate = await create({ plateNumber: '미등록' });
    for (const written of ['55마5555', ' 55마 55-55', '５５마５５５５'])
      expect(await found(projectId, 'plate', written)).toEqual([byVin, byPlate].toSorted());
    expect(await found(projectId, 'plate', '미등록')).toEqual([noPlate]);
    const ofVehicle = await world.asOwner(
      `SELECT vehicle_id AS id FROM vehicle_aliases WHERE project_id = '${projectId}' AND value = '${vin}'`,
    );
    for (const [kind, value] of [
      ['vin', vin.toLowerCase()],
      ['vehicle', 'car-9'],
      ['vehicle', String(ofVehicle[0]!['id'])],
    ] as const)
      expect(await found(projectId, kind, value)).toEqual([byVin, byPlate].toSorted());
    expect(await found(projectId, 'report', other)).toEqual([other]);
    for (const [kind, value] of [
      ['plate', '55마5555'],
      ['vin', vin],
      ['vehicle', 'car-9'],
      ['report', other],
    ] as const)
      expect(await found(newId(), kind, value)).toEqual([]);
    expect(await refusalOf(world.ledger.findSubjectReports({ projectId, kind: 'name', value: 'x', limit: 1 }))).toMatchObject({
      param: 'kind',
    });
  });

  it('finds a plate among many that end alike, and no more of it than were asked for', async () => {
    const projectId = newId();
    const { reportId: oldest } = await world.create(creationRequest({ projectId, plateNumber: '77바-7000' }));
    const { reportId: other } = await world.create(creationRequest({ projectId, plateNumber: '78바7000' }));
    await copyReport(world, other, 1_500, { created_at: `created_at + n * interval '1 second'` });
    expect(await found(projectId, 'plate', '77바7000')).toEqual([oldest]);
    expect(await found(projectId, 'plate', '78바7000')).toHaveLength(11);
  });

  it('counts what each service keeps of a report', async () => {
    const { projectId, reportId } = await measured({ plateNumber: '66바6666' });
    const { counts, published, heldReportIds } = await world.ledger.countReportData({ projectId, reportIds: [reportId] });
    expect([published, heldReportIds]).toEqual([0, []]);
    const of = Object.fromEntries(counts.map(({ store, what, count }) => [`${store} ${what}`, count]));
    expect(of).toMatchObject({
      ...{ 'ledger reports': 1, 'ledger photographs': 1, 'ledger measurements': 1, 'ledger revisions': 1, 'ledger vehicles': 1 },
      ...{ 'share links': 1, 'content documents': 2, 'assets photographs': 4 },
    });
  });

  it('forgets an own id with the last report that has it, also where reports are attached by their VIN', async () => {
    const projectId = newId();
    const create = async () => {
      const { reportId } = await world.create(creationRequest({ projectId, vin: 'KMHXX00XXXX000008', externalVehicleId: 'car-8' }));
      return { projectId, reportId };
    };
    const [goes, stays] = [await create(), await create()];
    const forget = async () => (await world.ledger.forgetVehicleNames({ projectId, kind: 'own', value: 'car-8' })).forgotten;
    const names = async () =>
      (await world.asOwner(`SELECT value FROM vehicle_aliases WHERE project_id = '${projectId}' AND kind = 'own'`)).length;
    await erase(goes);
    expect([await forget(), await names()]).toEqual([0, 1]);
    await world.create(creationRequest({ projectId, vin: 'KMHXX00XXXX000008' }));
    await erase(stays);
    expect([await forget(), await names()]).toEqual([1, 0]);
  });

  it('forgets a plate that a split gave to a vehicle without reports, and none that a report has', async () => {
    const projectId = newId();
    const create = (over: Parameters<typeof creationRequest>[0]) =>
      world.create(creationRequest({ projectId, externalVehicleId: 'car-7', ...over }));
    const report = await create({ plateNumber: '77사7777' });
    await create({});
    world.clock.advanceMs(DAY_MS);
    const [vehicle] = await world.asOwner(`SELECT vehicle_id AS id FROM vehicles WHERE project_id = '${projectId}'`);
    const from = world.clock.now().toISOString();
    await world.ledger.splitVehicle({ projectId, vehicleId: String(vehicle!['id']), plateNumber: '77사7777', from });
    const forget = async () => (await world.ledger.forgetVehicleNames({ projectId, kind: 'plate', value: '77사-7777' })).forgotten;
    expect(await forget()).toBe(0);
    await erase({ projectId, ...report });
    await forget();
    const places = ['vehicle_aliases WHERE value', 'vehicle_changes WHERE plate'].map(
      (place) => `SELECT FROM ${place} = '77사7777' AND project_id = '${projectId}'`,
    );
    expect((await Promise.all(places.map((place) => world.asOwner(place)))).flat()).toEqual([]);
  });
});
