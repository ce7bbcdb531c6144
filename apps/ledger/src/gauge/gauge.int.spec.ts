import { AnalysisRevisionSnapshot, type Report } from '@tire/contracts/api';
import type { TreadMeasurement } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { startMeasuring, type Measuring, type Named } from '../testing/measuring.fixture';
import { creationRequest, refusalOf, treadMeasurement, type World } from '../testing/world';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'];
const [SLOT, OTHER] = ['tire.tread.front_left', 'tire.tread.front_right'];
const GROOVES = [4.1, 5.2, 6.3];
const TREAD: TreadMeasurement = {
  ...treadMeasurement(),
  individualRemainingDepthMm: GROOVES,
  individualDepthInterval: GROOVES.map((mm) => ({ lowMm: mm - 0.5, highMm: mm + 0.5 })),
  grooveMasks: GROOVES.map((depthMm, index) => ({ depthMm, score: 0.8, polygonXyNorm: [{ x: 0.2 + 0.2 * index, y: 0.5 }] })),
};

describe('gauge values', () => {
  let measuring: Measuring;
  let world: World;

  beforeAll(async () => {
    measuring = await startMeasuring();
    ({ world } = measuring);
  });
  afterAll(() => measuring?.stop());

  async function measured(projectId = newId()): Promise<Named> {
    const { reportId } = await world.create(creationRequest({ projectId, templateKey: 'tire_4t_0s', images: [] }));
    const report = { projectId, reportId };
    for (const position of POSITIONS) {
      const slotId = `tire.tread.${position}`;
      await measuring.measure(report, slotId, { $case: 'tread', value: TREAD });
    }
    return report;
  }

  const read = ({ projectId, reportId }: Named) => world.report(projectId, reportId);
  const revisionOf = async (report: Named) => (await read(report)).analysis_revision!;
  const enter = async (report: Named, values: readonly [groove: number, depthMm: number | undefined][], seen?: string, slotId = SLOT!) =>
    world.ledger.setGauge({
      ...report,
      slotId,
      analysisRevision: seen ?? (await revisionOf(report)),
      values: values.map(([groove, depthMm]) => ({ groove, depthMm })),
    });
  const analysisOf = ({ slots }: Report, slotId = SLOT) => slots.find(({ slot_id }) => slot_id === slotId)!.analysis;
  const depthsOf = (report: Report) => {
    const { result } = analysisOf(report);
    return result && 'individual_depths' in result ? result.individual_depths.individual_remaining_depth : [];
  };

  it('decide in a new revision that content gets, and the measured depth stays in the record', async () => {
    const report = await measured();
    const before = await read(report);
    expect(await enter(report, [[2, 2.4]])).toEqual({ analysisStatus: 'complete', changed: true });
    const after = await read(report);
    expect(depthsOf(after)).toEqual([4.1, 2.4, 6.3]);
    expect(analysisOf(after)).toMatchObject({
      provenance: 'engine',
      gauge: [{ groove: 2, depth_mm: 2.4, measured_mm: 5.2, measured_interval_mm: [4.7, 5.7] }],
    });
    expect(analysisOf(after, OTHER)).toEqual(analysisOf(before, OTHER));
    expect(after.analysis_revision! > before.analysis_revision!).toBe(true);
    const { snapshotJson } = await world.ledger.getAnalysisRevision({ ...report, analysisRevision: after.analysis_revision! });
    const snapshot = AnalysisRevisionSnapshot.parse(JSON.parse(snapshotJson.toString()));
    expect(snapshot.slots.find(({ slot_id }) => slot_id === SLOT)?.analysis).toEqual(analysisOf(after));
    expect((await world.received.analysisEnded.of(report.reportId, 2)).at(-1)?.analysisRevision).toBe(after.analysis_revision);
    const old = await world.ledger.getAnalysisRevision({ ...report, analysisRevision: before.analysis_revision! });
    expect(old.snapshotJson.toString()).not.toContain('gauge');
    const { moments } = await world.ledger.getReportHistory(report);
    expect(moments.slice(-2).map(({ what, slotId }) => [what, slotId])).toEqual([
      ['gauge_entered', SLOT],
      ['analysis_ended', undefined],
    ]);
    expect(moments.at(-2)?.at).toBe(analysisOf(after).gauge?.[0]?.entered_at);
  });

  it('are withdrawn one by one, until the measurement is what it was', async () => {
    const report = await measured();
    const before = await read(report);
    await enter(report, [
      [1, 3.1],
      [3, 3.3],
    ]);
    await enter(report, [[1, undefined]]);
    expect(depthsOf(await read(report))).toEqual([4.1, 5.2, 3.3]);
    await enter(report, [[3, undefined]]);
    const after = await read(report);
    expect(analysisOf(after)).toEqual(analysisOf(before));
    expect(after.analysis_revision! > before.analysis_revision!).toBe(true);
    const { moments } = await world.ledger.getReportHistory(report);
    expect(moments.flatMap(({ what }) => (what.startsWith('gauge') ? what : []))).toEqual([
      'gauge_entered',
      'gauge_withdrawn',
      'gauge_withdrawn',
    ]);
  });

  it('are entered once, by whoever comes first, and a repetition changes nothing', async () => {
    const report = await measured();
    const seen = await revisionOf(report);
    const both = await Promise.allSettled([enter(report, [[1, 3.1]], seen), enter(report, [[1, 3.2]], seen)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const held = depthsOf(await read(report))[0]!;
    expect([3.1, 3.2]).toContain(held);
    const revision = await revisionOf(report);
    expect(await enter(report, [[1, held]], seen)).toEqual({ analysisStatus: 'complete', changed: false });
    expect(await revisionOf(report)).toBe(revision);
  });

  it('are refused over a measurement that was replaced meanwhile, and end with a new one', async () => {
    const report = await measured();
    const seen = await revisionOf(report);
    await world.ledger.registerImages({ ...report, images: [{ slotId: SLOT!, assetId: newId() }], replace: true });
    expect(await refusalOf(enter(report, [[1, 3.1]], seen))).toEqual({ code: 'validation_error', param: 'slot_id' });
    // The other tire has what it had in that revision. Its value is frozen when the first one has ended.
    expect(await enter(report, [[1, 3.1]], seen, OTHER)).toEqual({ analysisStatus: 'processing', changed: true });
    await measuring.finish(report, SLOT!, { $case: 'tread', value: TREAD });
    expect(await refusalOf(enter(report, [[1, 3.1]], seen))).toEqual({ code: 'validation_error', param: 'analysis_revision' });
    await enter(report, [[1, 3.1]]);
    expect(analysisOf(await read(report), OTHER).gauge).toHaveLength(1);
    await world.ledger.analyzeSlots({ ...report, slotIds: [SLOT!] });
    await measuring.finish(report, SLOT!, { $case: 'tread', value: TREAD });
    expect(analysisOf(await read(report)).gauge).toBeUndefined();
    expect(depthsOf(await read(report))).toEqual(GROOVES);
  });

  it.each([
    ['a groove that was not measured', [[4, 3]], SLOT, 'values[0].groove'],
    ['a slot without a photograph', [[1, 3]], 'tire.sidewall.front_left', 'slot_id'],
    ['something else than a slot', [[1, 3]], 'spare wheel', 'slot_id'],
  ] as const)('are refused over %s', async (_, values, slotId, param) => {
    const report = await measured();
    expect(
      await refusalOf(
        enter(
          report,
          values.map(([groove, mm]) => [groove, mm]),
          undefined,
          slotId,
        ),
      ),
    ).toEqual({
      code: 'validation_error',
      param,
    });
  });

  it('are refused in a report that is gone, was entered by hand, or is of another project', async () => {
    const report = await measured();
    const seen = await revisionOf(report);
    expect((await refusalOf(enter({ ...report, projectId: newId() }, [[1, 3]], seen))).code).toBe('not_found');
    expect((await refusalOf(enter({ ...report, reportId: newId() }, [[1, 3]], seen))).code).toBe('not_found');
    await refusalOf(world.ledger.discardReport(report));
    expect((await refusalOf(enter(report, [[1, 3]], seen))).code).toBe('report_discarded');
    const projectId = newId();
    const tires = POSITIONS.map((position) => ({ position, grooveDepthsMm: [6] }));
    const byHand = await world.create(creationRequest({ projectId, templateKey: 'tire_4t_0s', images: [], entered: { tires } }));
    expect(await refusalOf(enter({ projectId, reportId: byHand.reportId }, [[1, 3]]))).toEqual({
      code: 'validation_error',
      param: 'slot_id',
    });
  });

  it('train only where the project allows it, as they are now', async () => {
    const report = await measured();
    const { projectId } = report;
    await enter(report, [[1, 3.1]]);
    await enter(report, [[2, 3.2]]);
    await enter(report, [[1, 3.3]], undefined, OTHER);
    await enter(report, [[1, undefined]], undefined, OTHER);
    const list = () => world.ledger.listGaugeReadings({ projectId });
    expect((await refusalOf(list())).code).toBe('forbidden');
    expect(await world.ledger.getTrainingUse({ projectId })).toEqual({ isAllowed: false });
    await world.ledger.setTrainingUse({ projectId, isAllowed: true });
    expect(await world.ledger.getTrainingUse({ projectId })).toEqual({ isAllowed: true });
    const { treads, nextCursor } = await list();
    expect(nextCursor).toBeUndefined();
    expect(treads).toMatchObject([
      {
        reportId: report.reportId,
        slotId: SLOT,
        grooves: [
          { measuredMm: 4.1, gaugeMm: 3.1, place: { x: 0.2, y: 0.5 } },
          { measuredMm: 5.2, gaugeMm: 3.2, place: { x: 0.4, y: 0.5 } },
          { measuredMm: 6.3, place: { x: expect.closeTo(0.6), y: 0.5 } },
        ],
      },
    ]);
    expect(treads[0]!.grooves[2]!.gaugeMm).toBeUndefined();
    for (const ended of ['discarded_at', 'purge_at']) {
      await world.asOwner(`UPDATE reports SET ${ended} = now() WHERE report_id = $1`, [report.reportId]);
      expect((await list()).treads).toEqual([]);
      await world.asOwner(`UPDATE reports SET ${ended} = NULL WHERE report_id = $1`, [report.reportId]);
    }
    await world.ledger.setTrainingUse({ projectId, isAllowed: false });
    expect((await refusalOf(list())).code).toBe('forbidden');
    const stranger = newId();
    await world.ledger.setTrainingUse({ projectId: stranger, isAllowed: true });
    expect((await world.ledger.listGaugeReadings({ projectId: stranger })).treads).toEqual([]);
  });
});
