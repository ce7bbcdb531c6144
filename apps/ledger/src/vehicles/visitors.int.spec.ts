import { newId } from '@tire/kernel';
import { VehicleSweep } from './sweep';
import { ONE_BY_ONE, REMOVED, UNUSED } from './sweep.store';
import { copyStatement } from '../testing/many-reports';
import { refusalOf, type World } from '../testing/world';
import { SANDBOX_MODEL } from '../domain/sandbox';
import { DAY_MS, passportOf, reportsOf, vehiclesFixture, VIN } from '../testing/vehicles.fixture';

describe('the vehicles of a project', () => {
  const vehicles = vehiclesFixture();
  const { inspect, passport, only } = vehicles;
  let world: World;
  let projectId: string;
  beforeEach(() => {
    ({ world, projectId } = vehicles);
  });

  describe('for visitors', () => {
    const published = (vehicleId: string) => world.ledger.getPublishedVehicle({ projectId, vehicleId });
    const publish = (reportIds: readonly string[]) =>
      world.asOwner(
        `UPDATE reports SET publication_status = 'published', link_token = '\\x00', publication_analysis_revision = revision_id,
                content_analysis_revision = revision_id WHERE report_id = ANY($1)`,
        [reportIds],
      );
    const attachCopies = (reportId: string) =>
      world.asOwner(
        `INSERT INTO vehicle_reports (report_id, project_id, alias_id, created_at, plate)
         SELECT reports.report_id, reports.project_id, alias_id, reports.created_at, plate FROM reports, vehicle_reports known
          WHERE known.report_id = $1 AND reports.project_id = known.project_id ON CONFLICT DO NOTHING`,
        [reportId],
      );
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

    it('show nothing of values that came after the publication', async () => {
      const reportId = await inspect({ plateNumber: '74가1111' });
      const vehicleId = await only();
      for (const column of ['publication_analysis_revision', 'content_analysis_revision']) {
        await publish([reportId]);
        expect(await depths(vehicleId)).toEqual([5]);
        for (const other of [newId(), null]) {
          await world.asOwner(`UPDATE reports SET ${column} = $2 WHERE report_id = $1`, [reportId, other]);
          expect(await depths(vehicleId)).toEqual([]);
        }
      }
    });

    it('show no plate and no report of the next owner of a plate', async () => {
      const plateNumber = '77가1111';
      const sold = await inspect({ plateNumber, externalVehicleId: 'car-77', branchId: newId() }, 6);
      world.clock.advanceMs(1);
      const from = world.clock.now().toISOString();
      const bought = await inspect({ plateNumber: '77가 1111' }, 3);
      await publish([sold, bought]);
      const vehicleId = await only('77가');
      expect([await depths(vehicleId), (await published(vehicleId)).plateNumber]).toEqual([[6, 3], '77가 1111']);
      const split = passportOf(await world.ledger.splitVehicle({ projectId, vehicleId, plateNumber, from }));
      const { plateNumber: shown, branchId } = await published(vehicleId);
      expect([await depths(vehicleId), shown, branchId]).toEqual([[6], undefined, expect.any(String)]);
      const next = split.changes[0]!.other_vehicle_id;
      expect([await depths(next), (await published(next)).plateNumber]).toEqual([[3], '77가 1111']);
      // Sold again: neither of the vehicles before has the plate.
      world.clock.advanceMs(DAY_MS);
      const again = await inspect({ plateNumber }, 5);
      await publish([again]);
      await world.ledger.splitVehicle({ projectId, vehicleId: next, plateNumber, from: world.clock.now().toISOString() });
      for (const before of [vehicleId, next]) expect((await published(before)).plateNumber).toBeUndefined();
      // Undone: the plate is that of the vehicle again.
      const { changes } = await passport(next);
      await world.ledger.undoVehicleChange({ projectId, vehicleId: next, changeId: changes[0]!.change_id });
      expect([await depths(next), (await published(next)).plateNumber]).toEqual([[3, 5], plateNumber]);
    });

    it('say of values of sample photographs where an inspection that is shown has one', async () => {
      const [shown, hidden] = [await inspect({ plateNumber: '78가1111' }), await inspect({ plateNumber: '78가1111' })];
      const vehicleId = await only();
      await publish([shown]);
      const sample = (reportId: string) =>
        world.asOwner(
          `WITH known AS (
             INSERT INTO analyses SELECT (jsonb_populate_record(a, jsonb_build_object('analysis_id', gen_random_uuid(), 'model', $2::text))).*
               FROM analyses a WHERE report_id = $1 RETURNING report_id, slot_id, analysis_id)
           UPDATE slots SET analysis_id = known.analysis_id FROM known
            WHERE slots.report_id = known.report_id AND slots.slot_id = known.slot_id`,
          [reportId, `${SANDBOX_MODEL}worn`],
        );
      await sample(hidden);
      expect((await published(vehicleId)).hasSamples).toBe(false);
      await sample(shown);
      expect((await published(vehicleId)).hasSamples).toBe(true);
    });

    it('show published inspections that are older than many others, and a change at one of these', async () => {
      const plateNumber = '75가1111';
      const [first, hidden] = [await inspect({ plateNumber }, 4), await inspect({ plateNumber }, 7)];
      const vehicleId = await only();
      const judged = { projectId, vehicleId, reportId: hidden, position: 'front_left', verdict: 'replaced', withPosition: undefined };
      await world.ledger.judgeTire(judged);
      await world.asOwner(await copyStatement(world, hidden, 250, { created_at: `created_at + n * interval '1 second'` }));
      await attachCopies(hidden);
      const last = await inspect({ plateNumber }, 6);
      await publish([first, last]);
      expect(await depths(vehicleId)).toEqual([4, 6]);
      const { inspections } = await published(vehicleId);
      expect(inspections.map(({ tires }) => tires[0]!.change)).toEqual([undefined, 'replaced']);
    });

    it('show the treads of the newest only, and count the others', async () => {
      const first = await inspect({ plateNumber: '76가1111', mileageKm: 1_000 });
      const vehicleId = await only();
      await publish([first]);
      await world.asOwner(await copyStatement(world, first, 45, { created_at: `created_at + n * interval '1 second'` }));
      await attachCopies(first);
      const last = await inspect({ plateNumber: '76가1111' }, 4);
      await publish([last]);
      const { inspections, wear } = await published(vehicleId);
      expect(inspections).toHaveLength(47);
      expect(inspections.at(-1)!.tires).toHaveLength(4);
      expect(inspections[0]).toMatchObject({ mileageKm: 1_000, tires: [] });
      expect(wear[0]!.refused).toBe('too_few');
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

    it('keep their names while a discarded report with them is under legal hold', async () => {
      const held = { projectId, reportId: await inspect({ plateNumber: '86가1111' }) };
      await world.ledger.holdReport({ ...held, reason: 'Case 7' });
      await refusalOf(world.ledger.discardReport(held));
      const before = await names();
      await sweep();
      await sweep();
      expect(await names()).toEqual(before);
      await refusalOf(world.ledger.releaseReport(held));
      await sweep();
      expect(await names()).toEqual([]);
    });

    it('lose their names where those of another one cannot be removed', async () => {
      const removed = [await inspect({ plateNumber: '84가1111' }), await inspect({ plateNumber: '85가1111' })];
      await world.asOwner('UPDATE reports SET discarded_at = now() WHERE report_id = ANY($1)', [removed]);
      await world.asOwner(`
        CREATE FUNCTION keep_report() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$;
        CREATE TRIGGER keep_report BEFORE DELETE ON vehicle_reports FOR EACH ROW
          WHEN (OLD.report_id = '${removed[0]}') EXECUTE FUNCTION keep_report()`);
      const plates = async () => (await names()).flatMap(({ of, name }) => (of === 'alias' ? [name] : []));
      await sweep();
      expect(await plates()).toEqual(['84가1111']);
      await world.asOwner('DROP FUNCTION keep_report CASCADE');
      await sweep();
      expect(await plates()).toEqual([]);
    });

    it.each([
      ['vehicle_reports_pkey', REMOVED],
      ['vehicle_aliases_pkey', UNUSED],
    ])('are found by a piece of the index %s, and each of it is looked up', async (index, sql) => {
      await world.asOwner(`
        INSERT INTO vehicle_aliases (alias_id, project_id, vehicle_id, kind, value, shown, search_key, from_at)
        SELECT gen_random_uuid(), '${projectId}', gen_random_uuid(), 'plate', n, '', n, '-infinity' FROM generate_series(1, 50000) n;
        INSERT INTO vehicle_reports (report_id, project_id, alias_id, created_at, plate)
        SELECT gen_random_uuid(), project_id, alias_id, now(), value FROM vehicle_aliases WHERE project_id = '${projectId}'`);
      for (const table of ['vehicle_aliases', 'vehicle_reports']) await world.asOwner(`ANALYZE ${table}`);
      const plan = await world.inProject(projectId, async (tx) => {
        await tx.execute(ONE_BY_ONE);
        return JSON.stringify(await tx.rows(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`));
      });
      expect(plan).toContain(`"Index Name":"${index}"`);
      expect(plan).not.toMatch(/Hash|Merge|"Node Type":"Seq Scan"[^{}]*"Relation Name":"vehicle_/);
      await world.asOwner(
        `DELETE FROM vehicle_reports WHERE project_id = '${projectId}'; DELETE FROM vehicle_aliases WHERE project_id = '${projectId}'`,
      );
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
