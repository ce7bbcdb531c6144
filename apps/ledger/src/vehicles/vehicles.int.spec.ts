import type { VehiclePassport } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { newId } from '@tire/kernel';
import { VehicleBackfill } from './backfill';
import { NEWEST_VEHICLES, SEARCHED_ALIASES } from './vehicle.store';
import { NOTHING_SORTED } from '../search/search.statements';
import { refusalOf, type World } from '../testing/world';
import { DAY_MS, passportOf, reportsOf, vehiclesFixture, VIN } from '../testing/vehicles.fixture';

describe('the vehicles of a project', () => {
  const vehicles = vehiclesFixture();
  const { inspect, list, passport, only } = vehicles;
  let world: World;
  let projectId: string;
  beforeEach(() => {
    ({ world, projectId } = vehicles);
  });

  it('are found by VIN, own id and plate, however these are written', async () => {
    const first = await inspect({ plateNumber: '12가 3456', mileageKm: 10_000 });
    const second = await inspect({ plateNumber: '１２가-3456', externalVehicleId: 'car-7', mileageKm: 20_000 });
    const third = await inspect({ externalVehicleId: 'car-7', vin: VIN.toLowerCase() });
    const fourth = await inspect({ vin: VIN, plateNumber: '123나4567' });
    const vehicleId = await only();
    const found = await passport(vehicleId);
    expect(reportsOf(found)).toEqual([first, second, third, fourth]);
    expect(found).toMatchObject({ plates: ['123나4567', '12가 3456'], external_vehicle_ids: ['car-7'], vins: [VIN] });
    expect(found.inspections[1]).toMatchObject({ mileage_km: 20_000, depths_mm: { front_left: 5 }, plate_number: '１２가-3456' });
    for (const search of ['12가', '12 가 34', '123나', 'kmhxx', 'CAR7', '12가3456']) expect(await only(search)).toBe(vehicleId);
    for (const search of ['가3456', '12가34567', 'KMHXY']) expect((await list(search)).vehicles).toEqual([]);
    await inspect({ plateNumber: '미등록' });
    expect((await list()).vehicles).toMatchObject([{ inspections: 4 }]);
    // Another own id under the same plate is another vehicle.
    await inspect({ plateNumber: '12가3456', externalVehicleId: 'car-8' });
    expect((await list()).vehicles).toHaveLength(2);
  });

  it('are found by one of their reports, of the same project only', async () => {
    const [first, second] = [await inspect({ plateNumber: '13가3456' }), await inspect({ plateNumber: '13가3456' })];
    const [other, none] = [await inspect({ plateNumber: '14가3456' }), await inspect({})];
    const of = (reportId: string, by = projectId) => world.ledger.getVehicleOfReport({ projectId: by, reportId });
    for (const reportId of [first, second]) expect(reportsOf(passportOf(await of(reportId)))).toEqual([first, second]);
    await world.ledger.mergeVehicles({ projectId, vehicleId: await only('14가'), mergedVehicleId: await only('13가') });
    expect(reportsOf(passportOf(await of(first)))).toEqual([first, second, other]);
    for (const [reportId, by] of [[none], [newId()], ['none'], [first, newId()]] as const)
      expect(await refusalOf(of(reportId, by))).toMatchObject({ code: 'not_found' });
    await refusalOf(world.ledger.discardReport({ projectId, reportId: first }));
    expect(await refusalOf(of(first))).toMatchObject({ code: 'not_found' });
  });

  it('are made once, where many first reports of one come at once', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => inspect({ plateNumber: '34다5678', ...(n % 2 ? { externalVehicleId: 'car-9' } : {}) })),
    );
    expect((await list()).vehicles).toMatchObject([{ inspections: 12, plates: ['34다5678'], external_vehicle_ids: ['car-9'] }]);
  });

  it('are listed in pages, the newest first, and a search in the order of what it found', async () => {
    for (let n = 0; n < 5; n++) await inspect({ plateNumber: `5${n}라1000` });
    const plates: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await list(undefined, { limit: 2, cursor });
      plates.push(...page.vehicles.flatMap((vehicle) => vehicle.plates));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(plates).toEqual(['54라1000', '53라1000', '52라1000', '51라1000', '50라1000']);
    const first = await list('5', { limit: 3 });
    const rest = await list('5', { limit: 3, cursor: first.next_cursor! });
    expect([...first.vehicles, ...rest.vehicles].flatMap((vehicle) => vehicle.plates)).toEqual(plates.toReversed());
    expect(rest.next_cursor).toBeNull();
    const wrong = (over: Partial<ledgerApi.ListVehiclesRequest>) => refusalOf(world.ledger.listVehicles({ projectId, limit: 20, ...over }));
    for (const cursor of ['x', first.next_cursor!]) expect((await wrong({ cursor })).param).toBe('cursor');
    expect((await wrong({ search: '6', cursor: first.next_cursor! })).param).toBe('cursor');
    expect((await wrong({ limit: 101 })).param).toBe('limit');
  });

  it.each([
    ['vehicles_newest', NEWEST_VEHICLES],
    ['vehicle_aliases_search', SEARCHED_ALIASES],
  ])('a page is one piece of the index %s', async (index, sql) => {
    await world.asOwner(`
      INSERT INTO vehicles (vehicle_id, project_id, created_at) SELECT gen_random_uuid(), '${projectId}', now() FROM generate_series(1, 20000);
      INSERT INTO vehicle_aliases (alias_id, project_id, vehicle_id, kind, value, shown, search_key, from_at)
      SELECT gen_random_uuid(), project_id, vehicle_id, 'own', vehicle_id, '', vehicle_id, '-infinity' FROM vehicles WHERE project_id = '${projectId}'`);
    await world.asOwner('ANALYZE vehicles');
    await world.asOwner('ANALYZE vehicle_aliases');
    const plan = await world.inProject(projectId, async (tx) => {
      await tx.execute(NOTHING_SORTED);
      return JSON.stringify(await tx.rows(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`));
    });
    expect(plan).toContain(`"Index Name":"${index}"`);
    expect(plan).not.toMatch(/Seq Scan|Bitmap|"Node Type":"Sort"/);
  });

  it('are merged and parted again, with the reports that came meanwhile', async () => {
    const mine = await inspect({ plateNumber: '11가1111' });
    const theirs = await inspect({ plateNumber: '22나2222' });
    const [vehicleId, mergedVehicleId] = [await only('11가'), await only('22나')];
    const merged = passportOf(await world.ledger.mergeVehicles({ projectId, vehicleId, mergedVehicleId }));
    expect(reportsOf(merged)).toEqual([mine, theirs]);
    expect((await list()).vehicles.map(({ vehicle_id }) => vehicle_id)).toEqual([vehicleId]);
    expect(await only('22나')).toBe(vehicleId);
    expect((await passport(mergedVehicleId)).vehicle_id).toBe(vehicleId);
    const later = await inspect({ plateNumber: '22나2222' });
    expect(reportsOf(await passport(vehicleId))).toEqual([mine, theirs, later]);
    const again = world.ledger.mergeVehicles({ projectId, vehicleId, mergedVehicleId });
    expect((await refusalOf(again)).code).toBe('conflict');
    expect((await refusalOf(world.ledger.mergeVehicles({ projectId, vehicleId: mergedVehicleId, mergedVehicleId: vehicleId }))).code).toBe(
      'conflict',
    );
    const [{ change_id: changeId } = { change_id: '' }] = merged.changes;
    const parted = passportOf(await world.ledger.undoVehicleChange({ projectId, vehicleId, changeId }));
    expect(reportsOf(parted)).toEqual([mine]);
    expect(parted.changes).toMatchObject([{ kind: 'merged', other_vehicle_id: mergedVehicleId, undone_at: expect.any(String) }]);
    expect(reportsOf(await passport(mergedVehicleId))).toEqual([theirs, later]);
    expect((await refusalOf(world.ledger.undoVehicleChange({ projectId, vehicleId, changeId }))).code).toBe('conflict');
    const self = world.ledger.mergeVehicles({ projectId, vehicleId, mergedVehicleId: vehicleId });
    expect((await refusalOf(self)).param).toBe('merged_vehicle_id');
  });

  it('lose a plate that changed hands at a day, and get it back', async () => {
    const before = await inspect({ plateNumber: '33마3333', externalVehicleId: 'old' });
    const by = await inspect({ plateNumber: '33마 3333' });
    world.clock.advanceMs(DAY_MS / 2);
    const from = world.clock.now().toISOString();
    const after = await inspect({ plateNumber: '33마3333' });
    const vehicleId = await only('33');
    const split = (over: object = {}) => world.ledger.splitVehicle({ projectId, vehicleId, plateNumber: '33마-3333', from, ...over });
    for (const wrong of [{ plateNumber: '99마9999' }, { from: 'yesterday' }])
      expect((await refusalOf(split(wrong))).param).toBe(Object.keys(wrong)[0] === 'from' ? 'from' : 'plate_number');
    const left = passportOf(await split());
    expect(reportsOf(left)).toEqual([before, by]);
    const [{ change_id: changeId, other_vehicle_id: other } = { change_id: '', other_vehicle_id: '' }] = left.changes;
    const later = await inspect({ plateNumber: '33마3333' });
    const own = await inspect({ plateNumber: '33마3333', externalVehicleId: 'old' });
    expect(reportsOf(await passport(other))).toEqual([after, later]);
    expect(reportsOf(await passport(vehicleId))).toEqual([before, by, own]);
    const whole = passportOf(await world.ledger.undoVehicleChange({ projectId, vehicleId, changeId }));
    expect(reportsOf(whole)).toEqual([before, by, after, later, own]);
    expect(whole.changes.map(({ kind, undone_at }) => [kind, undone_at !== null])).toEqual([
      ['merged', false],
      ['split', true],
    ]);
    const parted = await world.ledger.undoVehicleChange({ projectId, vehicleId, changeId: whole.changes[0]!.change_id });
    expect(reportsOf(passportOf(parted))).toEqual([before, by, own]);
  });

  it('lose a plate at the same day again, and at a day before a later one', async () => {
    const days = [await inspect({ plateNumber: '66아6666', externalVehicleId: 'mine' })];
    const starts: string[] = [];
    for (let n = 0; n < 3; n++) {
      world.clock.advanceMs(DAY_MS / 2);
      starts.push(world.clock.now().toISOString());
      days.push(await inspect({ plateNumber: '66아6666' }));
    }
    const vehicleId = await only('66');
    const split = async (from: string) =>
      passportOf(await world.ledger.splitVehicle({ projectId, vehicleId, plateNumber: '66아6666', from }));
    const undo = async (changeId: string) => passportOf(await world.ledger.undoVehicleChange({ projectId, vehicleId, changeId }));
    const first = await split(starts[2]!);
    expect(reportsOf(await undo(first.changes[0]!.change_id))).toEqual(days);
    const again = await split(starts[2]!);
    expect(reportsOf(again)).toEqual(days.slice(0, 3));
    const [{ other_vehicle_id: last }] = again.changes as [VehiclePassport['changes'][number]];
    expect(reportsOf(await passport(last))).toEqual(days.slice(3));
    // The vehicle of the first split has no name any more.
    expect((await refusalOf(passport(first.changes[0]!.other_vehicle_id))).code).toBe('not_found');
    const refused = world.ledger.splitVehicle({ projectId, vehicleId, plateNumber: '66아6666', from: starts[2]! });
    expect((await refusalOf(refused)).code).toBe('conflict');
    const nameless = world.ledger.splitVehicle({ projectId, vehicleId: last, plateNumber: '66아6666', from: starts[2]! });
    expect((await refusalOf(nameless)).code).toBe('conflict');
    const middle = await split(starts[1]!);
    expect(reportsOf(middle)).toEqual(days.slice(0, 2));
    expect(reportsOf(await passport(middle.changes[0]!.other_vehicle_id))).toEqual(days.slice(2, 3));
    const now = await inspect({ plateNumber: '66아6666' });
    expect(reportsOf(await passport(last))).toEqual([...days.slice(3), now]);
  });

  it('have one VIN, also where it came by a merge', async () => {
    await inspect({ vin: VIN });
    await inspect({ plateNumber: '67자6767' });
    const [vehicleId, mergedVehicleId] = [await only(VIN), await only('67')];
    await world.ledger.mergeVehicles({ projectId, vehicleId, mergedVehicleId });
    await inspect({ plateNumber: '67자6767', vin: 'KMHXX00XXXX000002' });
    expect((await list()).vehicles.map(({ inspections }) => inspections)).toEqual([1, 2]);
  });

  it('have what people said about their tires', async () => {
    const reportId = await inspect({ plateNumber: '44바4444' });
    const vehicleId = await only();
    const judge = (over: object) =>
      world.ledger.judgeTire({
        projectId,
        vehicleId,
        reportId,
        position: 'front_left',
        verdict: 'rotated',
        withPosition: 'rear_left',
        ...over,
      });
    expect(passportOf(await judge({})).judgements).toEqual([
      { report_id: reportId, position: 'front_left', verdict: 'rotated', with_position: 'rear_left' },
    ]);
    expect(passportOf(await judge({ verdict: 'replaced' })).judgements).toMatchObject([{ verdict: 'replaced', with_position: null }]);
    expect(passportOf(await judge({ verdict: undefined })).judgements).toEqual([]);
    for (const [wrong, param] of [
      [{ position: 'spare' }, 'position'],
      [{ withPosition: 'spare' }, 'with_position'],
      [{ verdict: 'eaten' }, 'verdict'],
      [{ reportId: newId() }, 'report_id'],
    ] as const)
      expect((await refusalOf(judge(wrong))).param).toBe(param);
  });

  it('belong to one project', async () => {
    const reportId = await inspect({ plateNumber: '55사5555' });
    await inspect({ plateNumber: '56사5555' });
    const [vehicleId, other] = [await only('55'), await only('56')];
    const { changes } = passportOf(await world.ledger.mergeVehicles({ projectId, vehicleId, mergedVehicleId: other }));
    const elsewhere = { projectId: newId(), vehicleId };
    for (const call of [
      world.ledger.getVehicle(elsewhere),
      world.ledger.mergeVehicles({ ...elsewhere, mergedVehicleId: other }),
      world.ledger.splitVehicle({ ...elsewhere, plateNumber: '55사5555', from: '2026-01-01T00:00:00Z' }),
      world.ledger.undoVehicleChange({ ...elsewhere, changeId: changes[0]!.change_id }),
      world.ledger.judgeTire({ ...elsewhere, reportId, position: 'front_left', verdict: 'refused' }),
    ])
      expect((await refusalOf(call)).code).toBe('not_found');
    expect((await world.ledger.listVehicles({ projectId: elsewhere.projectId, limit: 20 })).listJson.toString()).toContain('"vehicles":[]');
    projectId = vehicles.projectId = elsewhere.projectId;
    await inspect({ plateNumber: '55사5555' });
    const own = await only();
    expect(own).not.toBe(vehicleId);
    expect((await refusalOf(world.ledger.mergeVehicles({ projectId, vehicleId: own, mergedVehicleId: vehicleId }))).param).toBe(
      'merged_vehicle_id',
    );
  });

  it('of reports from before are attached afterwards, once', async () => {
    const [first, second] = [await inspect({ plateNumber: '77자7777' }), await inspect({ plateNumber: '77자7777', vin: VIN })];
    await world.asOwner(`DELETE FROM vehicle_reports; DELETE FROM vehicle_aliases; DELETE FROM vehicles`);
    await world.asOwner(`UPDATE vehicle_backfill SET after_id = '00000000-0000-0000-0000-000000000000', done = false`);
    world.clock.advanceMs(DAY_MS);
    const backfill = () => new VehicleBackfill(world.database, world.clock).attach();
    await Promise.all([backfill(), backfill()]);
    await backfill();
    const [cursor] = await world.asOwner('SELECT after_id AS id FROM vehicle_backfill');
    expect(cursor).toEqual({ id: second });
    expect(reportsOf(await passport(await only()))).toEqual([first, second]);
    expect(await only(VIN)).toBe(await only('77자'));
  });
});
