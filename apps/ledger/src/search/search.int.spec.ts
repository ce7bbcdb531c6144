/* oxlint-disable max-lines -- one suite, so that its services start once */
import type { TreadMeasurement } from '@tire/contracts/events';
import type { ledgerApi } from '@tire/contracts/grpc';
import { newId } from '@tire/kernel';
import { READ_MAX } from './search.statements';
import { copyReport } from '../testing/many-reports';
import { creationRequest, refusalOf, startWorld, treadMeasurement, type World } from '../testing/world';

const SIZE = { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 };
const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'];
const KNOWN: ledgerApi.VehicleTread = {
  ...{ depthLowMm: undefined, depthHighMm: undefined },
  ...{ isBald: false, isPartlyUnseen: false, isImageShared: false },
};
const TIRES = POSITIONS.map((position) => ({ position, grooveDepthsMm: [5, 4.8, 5.2], size: SIZE }));

describe('search for reports', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world?.stop());

  const create = (over: Partial<ledgerApi.CreateReportRequest>) => world.create(creationRequest(over));
  const idsOf = ({ reports }: ledgerApi.ListReportsResponse) => reports.map(({ reportId }) => reportId);
  const search = (projectId: string, text?: string) => world.ledger.listReports({ projectId, search: text, limit: 20 });

  it('lists newest first, page by page, each report once, without other projects and closed reports', async () => {
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

  it('lists selected reports in their order, without those of other projects and closed ones', async () => {
    const projectId = newId();
    const [first, gone, last] = [await create({ projectId }), await create({ projectId }), await create({ projectId })];
    const other = await create({});
    await refusalOf(world.ledger.discardReport({ projectId, reportId: gone.reportId }));
    const reportIds = [first, gone, other, last].map(({ reportId }) => reportId);
    expect((await world.ledger.listSelectedReports({ projectId, reportIds })).reports.map(({ reportId }) => reportId)).toEqual([
      first.reportId,
      last.reportId,
    ]);
    for (const wrong of [Array.from({ length: 101 }, () => first.reportId), ['x']])
      expect(await refusalOf(world.ledger.listSelectedReports({ projectId, reportIds: wrong }))).toEqual({
        code: 'validation_error',
        param: 'report_ids',
      });
  });

  it('has branch, VIN and mileage of reports with and without a measured tire', async () => {
    const projectId = newId();
    const branchId = newId();
    const waiting = await create({ projectId, vin: 'KMHD341CBLU000001', mileageKm: 41_000, branchId });
    const manual = await create({ projectId, entered: { tires: TIRES }, templateKey: 'tire_4t_4s', vin: 'KMHD341CBLU000002', images: [] });
    const reportIds = [waiting.reportId, manual.reportId];
    const { reports } = await world.ledger.getReportValues({ projectId, reportIds });
    const byId = new Map(reports.map((values) => [values.reportId, values]));
    expect(byId.get(waiting.reportId)).toMatchObject({ vin: 'KMHD341CBLU000001', mileageKm: 41_000, branchId, depthsMm: {} });
    expect(byId.get(manual.reportId)).toMatchObject({ vin: 'KMHD341CBLU000002', depthsMm: { front_left: 4.8 } });
    expect(byId.get(manual.reportId)).not.toHaveProperty('mileageKm');
    expect((await world.ledger.getReportValues({ projectId: newId(), reportIds })).reports).toEqual([]);
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 1, cursor: "x'" }, 'cursor'],
    [{ limit: 1, analysisStatus: "complete' OR true --" }, 'analysis_status'],
    [{ limit: 1, creationMode: 'toString' }, 'mode'],
    [{ limit: 1, createdFrom: 'yesterday' }, 'created_from'],
    [{ limit: 1, createdBefore: '' }, 'created_before'],
  ] as const)('refuses %j', async (over, param) => {
    expect(await refusalOf(world.ledger.listReports({ projectId: newId(), ...over }))).toEqual({ code: 'validation_error', param });
  });

  it('finds by plate, by the end of a plate, by report id and by ids of the partner, but not by parts of them', async () => {
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

  it('filters by status, mode and period, with pages and with search', async () => {
    const projectId = newId();
    const [startedAt, made] = [world.clock.now().toISOString(), [] as string[]];
    for (let index = 0; index < 3; index += 1) {
      world.clock.advanceMs(1_000);
      const byHand = { templateKey: 'tire_4t_4s', images: [], entered: { tires: TIRES } };
      made.push((await create({ projectId, plateNumber: '12가3456', ...byHand })).reportId);
      made.push((await create({ projectId, plateNumber: '34나3457' })).reportId);
    }
    const filtered = async (over: Partial<ledgerApi.ListReportsRequest>) =>
      idsOf(await world.ledger.listReports({ projectId, limit: 20, ...over })).sort();
    const of = (...indexes: number[]) => indexes.map((index) => made[index]!).sort();
    const at = (seconds: number) => new Date(Date.parse(startedAt) + 1_000 * seconds).toISOString();
    expect(await filtered({ creationMode: 'manual' })).toEqual(of(0, 2, 4));
    expect(await filtered({ analysisStatus: 'complete' })).toEqual(of(0, 2, 4));
    expect(await filtered({ analysisStatus: 'processing' })).toEqual(of(1, 3, 5));
    expect(await filtered({ analysisStatus: 'processing', creationMode: 'manual' })).toEqual([]);
    expect(await filtered({ createdFrom: at(2), createdBefore: at(3) })).toEqual(of(2, 3));
    expect(await filtered({ createdFrom: at(2), creationMode: 'automatic' })).toEqual(of(3, 5));
    expect(await filtered({ search: '3456', createdBefore: at(3) })).toEqual(of(0, 2));
    expect(await filtered({ search: '3456', analysisStatus: 'processing' })).toEqual([]);
    expect(await filtered({ search: made[3]!, creationMode: 'automatic' })).toEqual(of(3));
    const filter = { projectId, creationMode: 'automatic', createdBefore: at(3), limit: 1 };
    const first = await world.ledger.listReports(filter);
    const second = await world.ledger.listReports({ ...filter, cursor: first.nextCursor });
    expect([idsOf(first), idsOf(second), second.nextCursor]).toEqual([of(3), of(1), undefined]);
  });

  it('has bounds that may be finer than a millisecond', async () => {
    const projectId = newId();
    await create({ projectId });
    const between = world.clock.now().toISOString().replace('Z', '5Z');
    const found = async (over: Partial<ledgerApi.ListReportsRequest>) =>
      (await world.ledger.listReports({ projectId, limit: 5, ...over })).reports;
    expect(await found({ createdFrom: between })).toEqual([]);
    expect(await found({ createdBefore: between })).toHaveLength(1);
  });

  it('reads a bounded part of the reports of one value, and goes on where it stopped', async () => {
    const projectId = newId();
    const same = { projectId, externalVehicleId: 'always', plateNumber: '00가0000' };
    const { reportId } = await create(same);
    await copyReport(world, reportId, READ_MAX + 10, {
      // Two in a millisecond, so that the place between the parts needs the id.
      created_at: `created_at - (n / 2) * interval '1 millisecond'`,
      external_inspection_id: 'NULL',
      analysis_status: `CASE WHEN n = ${READ_MAX + 10} THEN 'failed' ELSE 'complete' END`,
    });
    for (const { projectId: _, ...values } of [same, { projectId, externalVehicleId: 'always' }, { projectId, plateNumber: '00가0000' }]) {
      const filter = { projectId, ...values, analysisStatus: 'failed', limit: 20 };
      const first = await world.ledger.listReports(filter);
      expect([first.reports, first.nextCursor]).toEqual([[], expect.any(String)]);
      const second = await world.ledger.listReports({ ...filter, cursor: first.nextCursor });
      expect([second.reports.length, second.nextCursor]).toEqual([1, undefined]);
    }
    // A value that few have ends the search of both.
    const few = await world.ledger.listReports({ projectId, externalVehicleId: 'always', plateNumber: '11가1111', limit: 20 });
    expect([few.reports, few.nextCursor]).toEqual([[], undefined]);
    // Every report once, across the places where the parts meet.
    const listed = new Set<string>();
    let count = 0;
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await world.ledger.listReports({
        projectId,
        externalVehicleId: 'always',
        analysisStatus: 'complete',
        limit: 100,
        cursor,
      });
      for (const id of idsOf(page)) listed.add(id);
      count += page.reports.length;
      cursor = page.nextCursor;
    }
    expect([count, listed.size]).toEqual([READ_MAX + 9, READ_MAX + 9]);
  });

  it('reads a bounded part of what a text may mean, and finds each report once', async () => {
    const projectId = newId();
    const { reportId } = await create({ projectId, plateNumber: '00가0000' });
    await copyReport(world, reportId, READ_MAX + 10, {
      created_at: `created_at - (n / 2) * interval '1 millisecond'`,
      external_inspection_id: 'NULL',
      analysis_status: `CASE WHEN n = ${READ_MAX + 10} THEN 'failed' ELSE 'complete' END`,
    });
    // Another meaning of the text finds older reports before the part of the first meaning that holds them is read.
    await copyReport(world, reportId, 3, {
      created_at: `created_at - (n * 2000) * interval '1 millisecond'`,
      plate_number: `'11나1111'`,
      external_vehicle_id: `'0000'`,
      external_inspection_id: 'NULL',
      analysis_status: `'failed'`,
    });
    const paged = async (over: Partial<ledgerApi.ListReportsRequest>) => {
      const pages: ledgerApi.ListReportsResponse[] = [];
      do pages.push(await world.ledger.listReports({ projectId, limit: 100, ...over, cursor: pages.at(-1)?.nextCursor }));
      while (pages.at(-1)!.nextCursor !== undefined);
      return pages;
    };
    const sizes = async (over: Partial<ledgerApi.ListReportsRequest>) => (await paged(over)).map(({ reports }) => reports.length);
    // The end of the first part is 5,000 ms back.
    expect(await sizes({ search: '0000', analysisStatus: 'failed' })).toEqual([2, 2]);
    // One that has none of the reports also stops.
    expect(await sizes({ search: '00가0000', analysisStatus: 'partial' })).toEqual([0, 0]);
    expect(await sizes({ search: '11가0000', analysisStatus: 'complete' })).toEqual([0, 0]);
    const reports = (await paged({ search: '0000' })).flatMap((page) => page.reports);
    expect([reports.length, new Set(reports.map((report) => report.reportId)).size]).toEqual([READ_MAX + 14, READ_MAX + 14]);
    const times = reports.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('finds by values of the partner, all of which must match', async () => {
    const projectId = newId();
    const byHand = { templateKey: 'tire_4t_4s', images: [], entered: { tires: TIRES } };
    const first = (await create({ projectId, plateNumber: '12가 3456', externalVehicleId: 'car-1', externalInspectionId: 'visit-1' }))
      .reportId;
    world.clock.advanceMs(1);
    const second = (await create({ projectId, plateNumber: '12가3456', externalVehicleId: 'car-2', ...byHand })).reportId;
    world.clock.advanceMs(1);
    const third = (await create({ projectId, plateNumber: '99하3456', externalVehicleId: 'car-1', externalInspectionId: 'visit-3' }))
      .reportId;
    const found = async (over: Partial<ledgerApi.ListReportsRequest>, project = projectId) =>
      idsOf(await world.ledger.listReports({ projectId: project, limit: 20, ...over }));
    expect(await found({ externalVehicleId: 'car-1' })).toEqual([third, first]);
    expect(await found({ plateNumber: ' 12가 3456' })).toEqual([second, first]);
    expect(await found({ externalInspectionId: 'visit-3' })).toEqual([third]);
    expect(await found({ externalVehicleId: 'car-1', plateNumber: '12가3456' })).toEqual([first]);
    expect(await found({ externalVehicleId: 'car-1', externalInspectionId: 'visit-1', plateNumber: '12가3456' })).toEqual([first]);
    expect(await found({ plateNumber: '12가3456', analysisStatus: 'complete' })).toEqual([second]);
    expect(await found({ externalVehicleId: 'car-1', createdBefore: world.clock.now().toISOString() })).toEqual([first]);
    // No part, no other spelling, no other kind of value, no other project.
    for (const none of [{ plateNumber: '3456' }, { plateNumber: ' ' }, { externalVehicleId: 'CAR-1' }, { externalVehicleId: 'visit-1' }])
      expect([none, await found(none)]).toEqual([none, []]);
    expect(await found({ externalInspectionId: 'visit-1', externalVehicleId: 'car-2' })).toEqual([]);
    expect(await found({ externalVehicleId: 'car-1' }, newId())).toEqual([]);
    await refusalOf(world.ledger.discardReport({ projectId, reportId: third }));
    expect(await found({ externalVehicleId: 'car-1' })).toEqual([first]);
    expect(await found({ externalInspectionId: 'visit-3' })).toEqual([]);
  });

  it.each<[Partial<ledgerApi.ListReportsRequest>, limit: number]>([
    [{}, 1],
    [{}, 7],
    [{ externalVehicleId: 'car-1' }, 3],
    [{ plateNumber: '12가3456', analysisStatus: 'processing' }, 2],
    [{ analysisStatus: 'processing', createdFrom: '2020-01-01T00:00:00Z' }, 5],
  ])('pages with %j, %i at once, double and skip nothing while reports are created and discarded', async (filter, limit) => {
    const projectId = newId();
    const named = { projectId, plateNumber: '12가 3456', externalVehicleId: 'car-1' };
    const { reportId } = await create(named);
    // Many of the same millisecond, so that the order of the ids decides.
    await copyReport(world, reportId, 30, {
      created_at: `created_at - (n / 10) * interval '1 millisecond'`,
      external_inspection_id: 'NULL',
    });
    const before = idsOf(await world.ledger.listReports({ projectId, limit: 100 }));
    const discarded = before[20]!;
    const listed: string[] = [];
    let created = 0;
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      // The first of them have the time of the newest report of the list.
      const newer = Promise.all([create(named), create(named)]);
      const page = await world.ledger.listReports({ projectId, cursor, limit, ...filter });
      await newer;
      created += 2;
      if (listed.length === 0) await refusalOf(world.ledger.discardReport({ projectId, reportId: discarded }));
      else world.clock.advanceMs(1);
      listed.push(...idsOf(page));
      expect(new Set(listed).size).toBe(listed.length);
      cursor = page.nextCursor;
    }
    expect(created).toBeGreaterThan(2);
    const kept = before.filter((id) => id !== discarded);
    expect(listed.filter((id) => before.includes(id) && id !== discarded)).toEqual(kept);
  });

  it('lists the reports of one vehicle oldest first, with the depths of its tires', async () => {
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
      expect.objectContaining({
        reportId,
        depthsMm: { front_left: 5.2 },
        treads: { front_left: KNOWN },
      }),
      expect.objectContaining({ reportId: later, depthsMm: {}, treads: {} }),
    ]);
    expect((await world.ledger.listVehicleReports({ projectId: newId(), externalVehicleId: 'car-9' })).reports).toEqual([]);
  });

  it.each<[string, Partial<TreadMeasurement>, Partial<ledgerApi.VehicleReport>]>([
    [
      'the interval of its lowest groove, which may be any',
      {
        individualRemainingDepthMm: [5, 4.8],
        individualDepthInterval: [
          { lowMm: 3.9, highMm: 6.8 },
          { lowMm: 4.1, highMm: 6.2 },
        ],
      },
      { depthsMm: { front_left: 4.8 }, treads: { front_left: { ...KNOWN, depthLowMm: 3.9, depthHighMm: 6.2 } } },
    ],
    [
      'a place without pattern',
      { baldZones: { shareOfWidth: 0.2, wornSmooth: false, zones: [] } },
      { depthsMm: { front_left: 5.2 }, treads: { front_left: { ...KNOWN, isBald: true } } },
    ],
    [
      'that no groove was found, without a depth',
      { baldZones: { shareOfWidth: 1, wornSmooth: true, zones: [] } },
      { depthsMm: {}, treads: { front_left: { ...KNOWN, isBald: true } } },
    ],
    [
      'that a part was not seen',
      { unseen: { parts: [{ place: 'center', reason: 'groove_unclear' }] } },
      { depthsMm: { front_left: 5.2 }, treads: { front_left: { ...KNOWN, isPartlyUnseen: true } } },
    ],
    [
      'that everything was seen',
      { unseen: { parts: [] }, baldZones: { shareOfWidth: 0, wornSmooth: false, zones: [] } },
      { depthsMm: { front_left: 5.2 }, treads: { front_left: KNOWN } },
    ],
  ])('has of a tire of a vehicle: %s', async (_, measured, listed) => {
    const projectId = newId();
    const { reportId } = await create({ projectId, externalVehicleId: 'car-8' });
    await world.publishFetched(projectId, reportId, 'tire.tread.front_left');
    const [work] = await world.received.analyzeTread.of(reportId, 1);
    await world.publishFinished(work!, { $case: 'tread', value: { ...treadMeasurement(), ...measured } });
    await world.settled();
    const { reports } = await world.ledger.listVehicleReports({ projectId, externalVehicleId: 'car-8' });
    expect(reports).toEqual([expect.objectContaining(listed)]);
  });

  it('has of a tire of a vehicle: that another tire has the same image', async () => {
    const projectId = newId();
    const { reportId } = await create({ projectId, externalVehicleId: 'car-7' });
    for (const position of ['front_left', 'front_right', 'rear_left']) {
      await world.publishFetched(projectId, reportId, `tire.tread.${position}`, '', (position === 'rear_left' ? 'b' : 'a').repeat(64));
    }
    for (const work of await world.received.analyzeTread.of(reportId, 3))
      await world.publishFinished(work, { $case: 'tread', value: treadMeasurement() });
    await world.settled();
    const { reports } = await world.ledger.listVehicleReports({ projectId, externalVehicleId: 'car-7' });
    const shared = { ...KNOWN, isImageShared: true };
    expect(reports[0]!.treads).toEqual({ front_left: shared, front_right: shared, rear_left: KNOWN });
  });

  describe('manual reports', () => {
    const manual = (projectId: string, over: Partial<ledgerApi.CreateReportRequest> = {}) =>
      create({ projectId, images: [], templateKey: 'tire_4t_4s', sourceChannel: 'atrace_console', entered: { tires: TIRES }, ...over });

    it('are complete at creation, with a frozen revision that is published', async () => {
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

    it('use the template without sidewalls if they have no sizes', async () => {
      const projectId = newId();
      const { reportId } = await manual(projectId, {
        templateKey: 'tire_4t_0s',
        entered: { tires: TIRES.map((tire) => ({ ...tire, size: undefined })) },
      });
      expect((await world.report(projectId, reportId)).slots).toHaveLength(4);
    });

    it('are found again by inspection with the same values; other values and images are refused', async () => {
      const same = { projectId: newId(), externalInspectionId: 'visit-1' };
      const { reportId } = await manual(same.projectId, same);
      expect((await manual(same.projectId, same)).reportId).toBe(reportId);
      const conflict = { code: 'idempotency_conflict', param: 'external_inspection_id' };
      const others = TIRES.map((tire) => ({ ...tire, grooveDepthsMm: [4, 4.8, 5.2] }));
      expect(await refusalOf(manual(same.projectId, { ...same, entered: { tires: others } }))).toEqual(conflict);
      expect(await refusalOf(manual(same.projectId, { ...same, entered: undefined }))).toEqual(conflict);
      expect(await world.countReports(same.projectId)).toBe(1);
    });

    it('are never sent to an engine', async () => {
      const projectId = newId();
      const { reportId } = await manual(projectId);
      const analyze = world.ledger.analyzeSlots({ projectId, reportId, slotIds: ['tire.tread.front_left'] });
      expect(await refusalOf(analyze)).toEqual({ code: 'validation_error', param: 'slots[0].slot' });
      await world.ledger.analyzeSlots({ projectId, reportId, slotIds: [] });
      expect((await world.report(projectId, reportId)).analysis_status).toBe('complete');
    });

    it.each([
      ['an unknown position', { position: 'middle', grooveDepthsMm: [5] }],
      ['no groove', { position: 'front_left', grooveDepthsMm: [] }],
    ])('are refused with %s', async (_, tire) => {
      const refused = world.ledger.createReport(creationRequest({ images: [], entered: { tires: [tire] } }));
      expect(await refusalOf(refused)).toEqual({ code: 'validation_error', param: 'tires[0]' });
    });
  });
});
