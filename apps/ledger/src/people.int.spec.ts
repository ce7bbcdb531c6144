import type { ledgerApi } from '@tire/contracts';
import { newId } from '@tire/kernel';
import { creationRequest, refusalOf, startWorld, treadMeasurement, type World } from './testing/world';

const SIZE = { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 };
const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'];

describe('reports as people look for them', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world?.stop());

  const create = (over: Partial<ledgerApi.CreateReportRequest>) => world.create(creationRequest(over));
  const idsOf = ({ reports }: ledgerApi.ListReportsResponse) => reports.map(({ reportId }) => reportId);
  const search = (projectId: string, text?: string) => world.ledger.listReports({ projectId, search: text, limit: 20 });

  it('are listed newest first, page by page, each once, and never those of another project or closed ones', async () => {
    const projectId = newId();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      // Some in the same millisecond.
      if (index % 3 === 0) world.clock.advanceMs(1);
      made.push((await create({ projectId })).reportId);
    }
    await create({});
    const gone = made.splice(3, 1)[0]!;
    await refusalOf(world.ledger.discardReport({ projectId, reportId: gone }));
    const listed: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await world.ledger.listReports({ projectId, cursor, limit: 2 });
      expect(page.reports.length).toBeLessThanOrEqual(2);
      listed.push(...idsOf(page));
      cursor = page.nextCursor;
    }
    expect([...listed].sort()).toEqual([...made].sort());
    const { reports } = await search(projectId);
    expect(reports[0]).toMatchObject({ templateKey: 'tire_4t_2s', sourceChannel: 'partner_api', creationMode: 'automatic' });
    expect(reports.map(({ createdAt }) => createdAt)).toEqual(
      reports
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    );
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 1, cursor: "x'" }, 'cursor'],
  ] as const)('refuses %j', async (over, param) => {
    expect(await refusalOf(world.ledger.listReports({ projectId: newId(), ...over }))).toEqual({ code: 'validation_error', param });
  });

  it('are found by plate, by its end, by their ids and by those of the partner, whole and not in part', async () => {
    const projectId = newId();
    const vehicle = { plateNumber: '12가 3456', externalVehicleId: 'car-1' };
    const { reportId } = await create({ projectId, ...vehicle, externalInspectionId: 'visit-1' });
    const { reportId: again } = await create({ projectId, ...vehicle, externalInspectionId: 'visit-2' });
    await create({ projectId, plateNumber: '34나3457' });
    world.clock.advanceMs(1);
    const both = [reportId, again].sort();
    for (const text of ['12가3456', ' 12가 3456 ', '3456', 'car-1'])
      expect([text, idsOf(await search(projectId, text)).sort()]).toEqual([text, both]);
    expect(idsOf(await search(projectId, 'visit-2'))).toEqual([again]);
    expect(idsOf(await search(projectId, reportId.toUpperCase()))).toEqual([reportId]);
    for (const text of ['456', '12가', 'CAR-1', '%', 'visit-', newId()])
      expect([text, idsOf(await search(projectId, text))]).toEqual([text, []]);
    expect(idsOf(await search(newId(), '3456'))).toEqual([]);
  });

  it('a page of thirty thousand is a piece of an index, in whichever way it is asked for', async () => {
    const projectId = newId();
    const { reportId } = await create({ projectId, plateNumber: '12가3456', externalVehicleId: 'car-1' });
    const columns = (
      await world.asOwner(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'reports' AND is_generated = 'NEVER'`,
      )
    ).map(({ name }) => String(name));
    const given: Record<string, string> = {
      report_id: 'gen_random_uuid()',
      created_at: `created_at - n * interval '1 second'`,
      plate_number: `lpad((n % 1000)::text, 3, '0') || '가' || lpad((n % 10000)::text, 4, '0')`,
      external_vehicle_id: `'car-' || n % 1000`,
      external_inspection_id: `'visit-' || n`,
      // Nobody reads it here, and it is most of a row.
      document: `'\\x'::bytea`,
    };
    await world.asOwner(
      `INSERT INTO reports (${columns.join()}) SELECT ${columns.map((name) => given[name] ?? name).join()}
         FROM reports, generate_series(1, 30000) n WHERE report_id = '${reportId}'`,
    );
    await world.asOwner('ANALYZE reports');
    for (const conditions of [
      ['', 'reports_newest'],
      [`AND plate_end = '3456'`, 'reports_plate_end'],
      [`AND plate_end = right('456가3456', 4) AND plate_key = '456가3456'`, 'reports_plate_end'],
      [`AND external_vehicle_id = 'car-7'`, 'reports_vehicle'],
    ] as const) {
      const plan = JSON.stringify(
        await world.asRuntime(
          projectId,
          `EXPLAIN (FORMAT JSON) SELECT report_id FROM reports
            WHERE project_id = '${projectId}' AND (created_at, report_id) < ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
              AND discarded_at IS NULL AND purge_at IS NULL ${conditions[0]}
            ORDER BY created_at DESC, report_id DESC LIMIT 101`,
        ),
      );
      expect([conditions[1], plan]).toEqual([conditions[1], expect.stringContaining(`"${conditions[1]}"`)]);
      expect(plan).not.toMatch(/Seq Scan|Bitmap|"Sort"/);
    }
    for (const text of [undefined, '3456', '456가3456', 'car-7', 'visit-77']) {
      // The first asks also prepare the statement.
      for (let time = 0; time < 3; time += 1) await search(projectId, text);
      const startedMs = performance.now();
      for (let time = 0; time < 10; time += 1) await search(projectId, text);
      // A page is some 0.5 ms, on a machine that does much else too; sorting all that matches is 60 ms and more.
      expect([text, (performance.now() - startedMs) / 10 < 40]).toEqual([text, true]);
    }
  }, 90_000);

  it('of one vehicle are told oldest first, with what its tires measured', async () => {
    const projectId = newId();
    const { reportId } = await create({ projectId, externalVehicleId: 'car-9' });
    await world.publishFetched(projectId, reportId, 'tire.tread.front_left');
    const [work] = await world.received.analyzeTread.of(reportId, 1);
    await world.publishFinished(work!, { $case: 'tread', value: treadMeasurement() });
    await world.settled();
    world.clock.advanceMs(1_000);
    const { reportId: later } = await create({ projectId, externalVehicleId: 'car-9' });
    const { reports } = await world.ledger.listVehicleReports({ projectId, externalVehicleId: 'car-9' });
    expect(reports).toEqual([
      expect.objectContaining({ reportId, depthsMm: { front_left: 5.2 } }),
      expect.objectContaining({ reportId: later, depthsMm: {} }),
    ]);
    expect((await world.ledger.listVehicleReports({ projectId: newId(), externalVehicleId: 'car-9' })).reports).toEqual([]);
  });

  describe('measured by hand', () => {
    const tires = POSITIONS.map((position) => ({ position, grooveDepthsMm: [5, 4.8, 5.2], size: SIZE }));
    const manual = (projectId: string, over: Partial<ledgerApi.CreateReportRequest> = {}) =>
      create({ projectId, images: [], templateKey: 'tire_4t_4s', sourceChannel: 'atrace_console', entered: { tires }, ...over });

    it('are complete from the start, in a frozen revision that others are told of', async () => {
      const projectId = newId();
      const { reportId } = await manual(projectId);
      const report = await world.report(projectId, reportId);
      expect(report).toMatchObject({ analysis_status: 'complete', creation: { source_channel: 'atrace_console', mode: 'manual' } });
      expect(report.slots.map(({ analysis, asset }) => [analysis.provenance, analysis.engine, asset])).toEqual(
        Array.from({ length: 8 }, () => ['manual', null, null]),
      );
      const [ended] = await world.received.analysisEnded.of(reportId, 1);
      expect(ended).toMatchObject({ analysisRevision: report.analysis_revision, analysisStatus: 'complete' });
      const { moments } = await world.ledger.getReportHistory({ projectId, reportId });
      expect(moments.map(({ what, status }) => [what, status])).toEqual([
        ['created', undefined],
        ['analysis_ended', 'complete'],
      ]);
      expect((await refusalOf(world.ledger.getReportHistory({ projectId: newId(), reportId }))).code).toBe('not_found');
    });

    it('without sizes are those of the template that has none', async () => {
      const projectId = newId();
      const { reportId } = await manual(projectId, {
        templateKey: 'tire_4t_0s',
        entered: { tires: tires.map((tire) => ({ ...tire, size: undefined })) },
      });
      expect((await world.report(projectId, reportId)).slots).toHaveLength(4);
    });

    it('answer for their inspection when the same values come again, and refuse others and photographs', async () => {
      const same = { projectId: newId(), externalInspectionId: 'visit-1' };
      const { reportId } = await manual(same.projectId, same);
      expect((await manual(same.projectId, same)).reportId).toBe(reportId);
      const conflict = { code: 'idempotency_conflict', param: 'external_inspection_id' };
      const others = tires.map((tire) => ({ ...tire, grooveDepthsMm: [4, 4.8, 5.2] }));
      expect(await refusalOf(manual(same.projectId, { ...same, entered: { tires: others } }))).toEqual(conflict);
      expect(await refusalOf(manual(same.projectId, { ...same, entered: undefined }))).toEqual(conflict);
      expect(await world.countReports(same.projectId)).toBe(1);
    });

    it('are never measured by an engine', async () => {
      const projectId = newId();
      const { reportId } = await manual(projectId);
      const analyze = world.ledger.analyzeSlots({ projectId, reportId, slotIds: ['tire.tread.front_left'] });
      expect(await refusalOf(analyze)).toEqual({ code: 'validation_error', param: 'slots[0].slot' });
      await world.ledger.analyzeSlots({ projectId, reportId, slotIds: [] });
      expect((await world.report(projectId, reportId)).analysis_status).toBe('complete');
    });

    it.each([
      ['a position that there is not', { position: 'middle', grooveDepthsMm: [5] }],
      ['no groove', { position: 'front_left', grooveDepthsMm: [] }],
    ])('are refused with %s', async (_, tire) => {
      const refused = world.ledger.createReport(creationRequest({ images: [], entered: { tires: [tire] } }));
      expect(await refusalOf(refused)).toEqual({ code: 'validation_error', param: 'tires[0]' });
    });
  });
});
