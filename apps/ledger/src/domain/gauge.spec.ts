import { Analysis } from '@tire/contracts/api';
import type { TreadMeasurement } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { decide } from './decide';
import { gauged, type GaugedAnalysis, type GaugeReading } from './gauge';
import { gaugeReadings } from './gauge-readings';
import { analyzed, apply, created, finished, NOW, opened, register, TREADS, withResult, type Outcome } from './report.fixture';
import type { ReportEvent, ReportState } from './report';

const SLOT = TREADS[0]!;
const LATER = new Date(NOW.getTime() + 60_000);

const tread = (depthsMm: readonly number[], hasIntervals = true): Outcome => ({
  $case: 'tread',
  value: {
    quality: { recognized: true, confidence: 0.9 },
    aggregatedRemainingDepthMm: 5,
    estimatedLifetimeKm: 29_000,
    individualRemainingDepthMm: [...depthsMm],
    individualDepthInterval: hasIntervals ? depthsMm.map((mm) => ({ lowMm: mm - 0.5, highMm: mm + 0.5 })) : [],
    tireRotationDegClockwise: 0,
    vehicleSide: 'left',
    grooveMasks: depthsMm.map((depthMm, index) => ({
      depthMm,
      score: 0.8,
      polygonXyNorm: [
        { x: 0.2 * index, y: 0.2 },
        { x: 0.2 * index + 0.1, y: 0.8 },
      ],
    })),
    treadRoiBboxNorm: { x1: 0, y1: 0, x2: 1, y2: 1 },
  } satisfies TreadMeasurement,
});

const measured = (depthsMm: readonly number[], hasIntervals = true): Analysis =>
  Analysis.parse(JSON.parse(finished(SLOT, newId(), tread(depthsMm, hasIntervals)).json));

const value = (groove: number, depth_mm: number, measured_mm: number) => ({
  groove,
  depth_mm,
  measured_mm,
  measured_interval_mm: [measured_mm - 0.5, measured_mm + 0.5] as [number, number],
  entered_at: NOW.toISOString(),
});

const treadOf = ({ result }: Analysis) => {
  if (!result || !('individual_depths' in result)) throw new Error('not a tread');
  return result;
};

describe('a measurement with gauge values', () => {
  it('has the depth of the gauge, which is exact, and keeps what was measured beside it', () => {
    const before = measured([5, 6, 7]);
    const after = Analysis.parse(gauged(before, [value(2, 3.4, 6)]));
    expect(treadOf(after)).toMatchObject({
      aggregated_depth: { aggregated_remaining_depth: 5, estimated_lifetime: null, depth_interval_mm: [4.5, 5.5] },
      individual_depths: {
        individual_remaining_depth: [5, 3.4, 7],
        depth_intervals_mm: [
          [4.5, 5.5],
          [3.4, 3.4],
          [6.5, 7.5],
        ],
      },
    });
    expect(treadOf(after).groove_masks.map(({ depth_mm }) => depth_mm)).toEqual([5, 3.4, 7]);
    expect(treadOf(after).groove_masks[1]).toMatchObject({ depth_interval_mm: [3.4, 3.4], score: 0.8 });
    expect(after.gauge).toEqual([value(2, 3.4, 6)]);
    const { result: _, gauge: __, ...rest } = after;
    const { result: ___, ...restBefore } = before;
    expect(rest).toEqual(restBefore);
  });

  it.each([
    ['some grooves of an engine without intervals', [value(1, 3, 5)], undefined],
    [
      'all grooves of it',
      [value(1, 3, 5), value(2, 4, 6)],
      [
        [3, 3],
        [4, 4],
      ],
    ],
  ])('has intervals only where each groove has one: %s', (_, values, intervals) => {
    expect(treadOf(gauged(measured([5, 6], false), values)).individual_depths.depth_intervals_mm).toEqual(intervals);
  });

  it('is the measurement itself where every value was withdrawn', () => {
    const before = measured([5, 6]);
    expect(gauged(before, [])).toBe(before);
  });

  it('trains with each groove where it is in the image', () => {
    expect(gaugeReadings(measured([5, 6]))).toEqual([]);
    const [first, second] = gaugeReadings(gauged(measured([5, 6]), [value(2, 3.4, 6)]));
    expect(first).toEqual({ measuredMm: 5, gaugeMm: undefined, place: { x: expect.closeTo(0.05), y: 0.5 } });
    expect(second).toEqual({ measuredMm: 6, gaugeMm: 3.4, place: { x: expect.closeTo(0.25), y: 0.5 } });
  });
});

describe('entering a gauge value', () => {
  /** What the store would find of the slot. */
  const heldBy = (state: ReportState, held: Partial<GaugedAnalysis> = {}): GaugedAnalysis => {
    const slot = opened(state).slots.find(({ slotId }) => slotId === SLOT)!.state;
    const analysisId = slot.phase === 'succeeded' ? slot.analysis.analysisId : newId();
    return { analysisId, seenId: analysisId, measuredId: analysisId, measured: measured([5, 6, 7]), values: [], ...held };
  };
  const command = (held: GaugedAnalysis, readings: readonly GaugeReading[]) => ({
    type: 'setGauge' as const,
    slotId: SLOT,
    held,
    readings,
    analysisId: newId(),
    revisionId: newId(),
  });
  const complete = TREADS.reduce((state, slotId) => withResult(state, slotId, tread([5, 6, 7])), created('tire_4t_0s'));
  const enter = (groove: number, depthMm: number | null): GaugeReading => ({ groove, depthMm });

  it('makes a new analysis over the measured one, and a revision', () => {
    const decision = decide(complete, command(heldBy(complete), [enter(1, 4.2)]), LATER) as readonly ReportEvent[];
    expect(decision).toMatchObject([
      { type: 'gaugeSet', slotId: SLOT, change: 'entered', analysis: { provenance: 'engine', measuredId: heldBy(complete).measuredId } },
      { type: 'analysisEnded', revision: { status: 'complete', completedAt: LATER.toISOString() } },
    ]);
  });

  it('keeps the time of a value that is entered again beside another one, and the order of the grooves', () => {
    const held = heldBy(complete, { values: [value(2, 3.4, 6)] });
    const [set] = decide(complete, command(held, [enter(2, 3.4), enter(1, 4.2)]), LATER) as readonly ReportEvent[];
    const { gauge } = JSON.parse((set as Extract<ReportEvent, { type: 'gaugeSet' }>).analysis.json) as Analysis;
    expect(gauge).toEqual([{ ...value(1, 4.2, 5), entered_at: LATER.toISOString() }, value(2, 3.4, 6)]);
  });

  it.each([
    ['withdrawn', [enter(2, null)], ['withdrawn']],
    ['changed', [enter(2, 3.5)], ['entered']],
    ['entered again', [enter(2, 3.4)], []],
    ['withdrawn where it never was', [enter(1, null)], []],
  ])('is %s', (_, readings, changes) => {
    const held = heldBy(complete, { values: [value(2, 3.4, 6)] });
    const decision = decide(complete, command(held, readings), LATER) as readonly ReportEvent[];
    expect(decision.flatMap((event) => (event.type === 'gaugeSet' ? event.change : []))).toEqual(changes);
  });

  const again = analyzed(register(complete, SLOT, true), SLOT, tread([5, 6, 7]));
  it.each<[string, ReportState, GaugedAnalysis, string]>([
    ['the slot was measured again since the person saw it', again, heldBy(again, { seenId: newId() }), 'analysis_revision'],
    ['the slot is measured again between reading and writing', again, heldBy(complete), 'analysis_revision'],
    ['the revision does not know the slot', complete, heldBy(complete, { seenId: null }), 'analysis_revision'],
    ['there is no such groove', complete, heldBy(complete, { measured: measured([5]) }), 'values[0].groove'],
    ['no groove was measured', complete, heldBy(complete, { measured: measured([]) }), 'slot_id'],
    ['the slot is being measured', register(complete, SLOT, true), heldBy(complete), 'slot_id'],
  ])('is refused where %s', (_, state, held, param) => {
    expect(decide(state, command(held, [enter(2, 3.4)]), LATER)).toMatchObject({ refused: 'validation_error', param });
  });

  it('is gone when the slot is measured again', () => {
    const entered = apply(complete, command(heldBy(complete), [enter(1, 4.2)]), LATER);
    const remeasured = opened(analyzed(register(entered, SLOT, true), SLOT, tread([5, 6, 7]))).slots.find(({ slotId }) => slotId === SLOT);
    expect(remeasured?.state).toMatchObject({ phase: 'succeeded', analysis: { provenance: 'engine' } });
  });
});
