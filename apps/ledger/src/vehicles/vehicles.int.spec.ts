/* oxlint-disable max-lines -- one set-up of vehicles for all that is done with them */
import { VehicleList, VehiclePassport } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { newId, POSITIONS } from '@tire/kernel';
import { VehicleBackfill } from './backfill';
import { VehicleSweep } from './sweep';
import { NEWEST_VEHICLES, SEARCHED_ALIASES } from './vehicle.store';
import { NOTHING_SORTED } from '../search/search.statements';
import { creationRequest, refusalOf, startWorld, type World } from '../testing/world';

const DAY_MS = 86_400_000;
const VIN = 'KMHXX00XXXX000001';

describe('the vehicles of a project', () => {
  let world: World;
  let projectId: string;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world?.stop());
  beforeEach(() => {
    projectId = newId();
  });

  type Over = Partial<ledgerApi.CreateReportRequest>;
  /** By hand, a day after the one before it. */
  const inspect = async (over: Over, depthMm = 5) => {
    world.clock.advanceMs(DAY_MS);
    const tires = POSITIONS.map((position) => ({ position, grooveDepthsMm: [depthMm], size: undefined }));
    return (await world.create(creationRequest({ projectId, templateKey: 'tire_4t_0s', images: [], entered: { tires }, ...over })))
      .reportId;
  };
  const list = async (search?: string, over: Partial<ledgerApi.ListVehiclesRequest> = {}) => {
    const { listJson } = await world.ledger.listVehicles({ projectId, limit: 20, search, ...over });
    return VehicleList.parse(JSON.parse(String(listJson)));
  };
  const passportOf = ({ vehicleJson }: { vehicleJson: Buffer }) => VehiclePassport.parse(JSON.parse(String(vehicleJson)));
  const passport = async (vehicleId: string) => passportOf(await world.ledger.getVehicle({ projectId, vehicleId }));
  const reportsOf = ({ inspections }: VehiclePassport) => inspections.map(({ report_id }) => report_id);
  const only = async (search?: string) => {
    const { vehicles } = await list(search);
    expect(vehicles).toHaveLength(1);
    return vehicles[0]!.vehicle_id;
  };

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
    projectId = elsewhere.projectId;
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

  describe('for visitors', () => {
    const published = (vehicleId: string) => world.ledger.getPublishedVehicle({ projectId, vehicleId });
    const publish = (reportIds: readonly string[]) =>
      world.asOwner(`UPDATE reports SET publication_status = 'published', link_token = '\\x00' WHERE report_id = ANY($1)`, [reportIds]);
    const depths = async (vehicleId: string) =>
      (await published(vehicleId)).inspections.map(({ tires }) => tires.find(({ position }) => position === 'front_left')?.depthMm);

    it('show published inspections only', async () => {
      const plateNumber = '71가1111';
      const made = [
        await inspect({ plateNumber, mileageKm: 10_000, vin: VIN, externalVehicleId: 'car-71' }, 4),
        await inspect({ plateNumber, mileageKm: 20_000 }, 7),
        await inspect({ plateNumber, mileageKm: 30_000 }, 6),
        await inspect({ plateNumber, mileageKm: 40_000 }, 5),
      ];
      const vehicleId = await only();
      expect(await published(vehicleId)).toMatchObject({ inspections: [] });
      expect((await published(vehicleId)).plateNumber).toBeUndefined();
      await publish([made[0]!, made[2]!, made[3]!]);
      await world.ledger.judgeTire({
        projectId,
        vehicleId,
        reportId: made[1]!,
        position: 'front_left',
        verdict: 'replaced',
        withPosition: undefined,
      });
      expect(await depths(vehicleId)).toEqual([4, 6, 5]);
      const shown = await published(vehicleId);
      expect(shown.plateNumber).toBe(plateNumber);
      for (const hidden of [VIN, 'car-71', ...made]) expect(JSON.stringify(shown)).not.toContain(hidden);
      // The link of the report was revoked; the report is withdrawn; it is gone.
      await world.asOwner('UPDATE reports SET link_token = NULL WHERE report_id = $1', [made[3]]);
      await world.asOwner(`UPDATE reports SET publication_status = 'revoked' WHERE report_id = $1`, [made[0]]);
      expect(await depths(vehicleId)).toEqual([6]);
      await refusalOf(world.ledger.discardReport({ projectId, reportId: made[2]! }));
      expect(await depths(vehicleId)).toEqual([]);
    });

    it('a merged vehicle leads to the other one until it is undone, and a split leaves the part', async () => {
      const [first, second] = [await inspect({ plateNumber: '72가1111' }, 6), await inspect({ plateNumber: '73가1111' }, 5)];
      await publish([first, second]);
      const [one, other] = [await only('72가'), await only('73가')];
      await world.ledger.mergeVehicles({ projectId, vehicleId: one, mergedVehicleId: other });
      expect([await depths(one), await depths(other)]).toEqual([
        [6, 5],
        [6, 5],
      ]);
      expect((await published(other)).vehicleIds.toSorted()).toEqual([one, other].toSorted());
      const [change] = (await passport(one)).changes;
      await world.ledger.undoVehicleChange({ projectId, vehicleId: one, changeId: change!.change_id });
      expect([await depths(one), await depths(other)]).toEqual([[6], [5]]);
      const from = world.clock.now();
      const third = await inspect({ plateNumber: '72가1111' }, 4);
      await publish([third]);
      await world.ledger.splitVehicle({
        projectId,
        vehicleId: one,
        plateNumber: '72가1111',
        from: new Date(from.getTime() + 1).toISOString(),
      });
      expect(await depths(one)).toEqual([6]);
      expect(await refusalOf(world.ledger.getPublishedVehicle({ projectId: newId(), vehicleId: one }))).toMatchObject({
        code: 'not_found',
      });
      expect(await refusalOf(published(newId()))).toMatchObject({ code: 'not_found' });
      expect(await refusalOf(published('none'))).toMatchObject({ code: 'not_found' });
    });
  });

  describe('without a report', () => {
    const names = () =>
      world.asOwner(
        `SELECT 'alias' AS of, value AS name FROM vehicle_aliases WHERE project_id = $1
         UNION ALL SELECT 'change', plate FROM vehicle_changes WHERE project_id = $1 AND plate IS NOT NULL
         UNION ALL SELECT 'vehicle', '' FROM vehicles WHERE project_id = $1 ORDER BY 1, 2`,
        [projectId],
      );
    const sweep = () => new VehicleSweep(world.database).sweep();

    it('lose their names, also where a release without vehicles removed the report', async () => {
      const [kept, removed] = [await inspect({ plateNumber: '81가1111' }), await inspect({ plateNumber: '82가1111' })];
      await world.asOwner('UPDATE reports SET discarded_at = now() WHERE report_id = $1', [removed]);
      await sweep();
      await sweep();
      expect(await names()).toEqual([
        { of: 'alias', name: '81가1111' },
        { of: 'vehicle', name: '' },
      ]);
      expect(reportsOf(await passport(await only()))).toEqual([kept]);
    });

    it('that came of a split keep a plate as long as a report of the project has it', async () => {
      const [first, other] = [
        await inspect({ plateNumber: '83가1111', externalVehicleId: 'car-83' }),
        await inspect({ externalVehicleId: 'car-83' }),
      ];
      const vehicleId = await only('83가');
      const from = new Date(world.clock.now().getTime() + DAY_MS).toISOString();
      await world.ledger.splitVehicle({ projectId, vehicleId, plateNumber: '83가1111', from });
      const before = await names();
      await sweep();
      expect(await names()).toEqual(before);
      await refusalOf(world.ledger.discardReport({ projectId, reportId: first }));
      await sweep();
      expect(await names()).toEqual([
        { of: 'alias', name: expect.stringContaining('83') },
        { of: 'vehicle', name: '' },
      ]);
      expect(JSON.stringify(await names())).not.toContain('가1111');
      expect(reportsOf(await passport(vehicleId))).toEqual([other]);
    });
  });
});
