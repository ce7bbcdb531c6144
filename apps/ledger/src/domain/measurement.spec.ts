import { Analysis } from '@tire/contracts/api';
import { type SidewallMeasurement, type TreadMeasurement } from '@tire/contracts/events';
import { RETAKE_HINTS } from '@tire/kernel';
import { endedAnalysis } from './analysis';
import { slotOutcome } from './measurement';

const tread = (over: Partial<TreadMeasurement> = {}): TreadMeasurement => ({
  quality: { recognized: true, confidence: 0.8 },
  aggregatedRemainingDepthMm: 4.2,
  estimatedLifetimeKm: 21_000,
  individualRemainingDepthMm: [4.2, 5],
  individualDepthInterval: [],
  tireRotationDegClockwise: 90,
  vehicleSide: 'left',
  grooveMasks: [
    { depthMm: 4.2, score: 0.9, polygonXyNorm: [{ x: 0.1, y: 0.2 }] },
    { depthMm: 5, score: 0.7, polygonXyNorm: [{ x: 1.0001, y: -0.0001 }] },
  ],
  treadRoiBboxNorm: { x1: 0, y1: 0.1, x2: 1, y2: 0.9 },
  ...over,
});

const outcomeOfTread = (over: Partial<TreadMeasurement> = {}) =>
  slotOutcome('tire.tread.front_left', { $case: 'tread', value: tread(over) });

describe('measurement', () => {
  it('maps a tread to report.v1', () => {
    expect(outcomeOfTread()).toEqual({
      kind: 'measured',
      quality: { recognized: true, confidence: 0.8 },
      result: {
        aggregated_depth: { aggregated_remaining_depth: 4.2, estimated_lifetime: 21_000 },
        individual_depths: { individual_remaining_depth: [4.2, 5] },
        tire_rotation: 90,
        vehicle_side: 'left',
        groove_masks: [
          { depth_mm: 4.2, score: 0.9, polygon_xy_norm: [[0.1, 0.2]] },
          { depth_mm: 5, score: 0.7, polygon_xy_norm: [[1, 0]] },
        ],
        tread_roi: { bbox_xyxy_norm: [0, 0.1, 1, 0.9] },
      },
    });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('lets no %p into JSON', (value) => {
    const outcome = outcomeOfTread({
      quality: { recognized: true, confidence: value },
      aggregatedRemainingDepthMm: value,
      estimatedLifetimeKm: value,
      individualRemainingDepthMm: [value, 5],
      tireRotationDegClockwise: value,
      grooveMasks: [
        { depthMm: 4, score: value, polygonXyNorm: [] },
        {
          depthMm: value,
          score: value,
          polygonXyNorm: [
            { x: value, y: 0 },
            { x: 0, y: 0 },
          ],
        },
      ],
      treadRoiBboxNorm: { x1: value, y1: 0, x2: 1, y2: 1 },
    });
    expect(outcome).toEqual({
      kind: 'measured',
      quality: { recognized: true, confidence: null },
      result: {
        aggregated_depth: null,
        individual_depths: { individual_remaining_depth: [5] },
        tire_rotation: null,
        vehicle_side: 'left',
        groove_masks: [{ depth_mm: null, score: null, polygon_xy_norm: [[0, 0]] }],
        tread_roi: { bbox_xyxy_norm: null },
      },
    });
  });

  it('drops masks when their number differs from that of the depths', () => {
    const measured = tread();
    const value = { ...measured, individualRemainingDepthMm: [...measured.individualRemainingDepthMm, 4.2] };
    expect(slotOutcome('tire.tread.front_left', { $case: 'tread', value })).toMatchObject({
      result: { individual_depths: { individual_remaining_depth: value.individualRemainingDepthMm }, groove_masks: [] },
    });
  });

  it('reads a size only when all three integers are there', () => {
    const size = { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 };
    const read = (value: typeof size | undefined) =>
      slotOutcome('tire.sidewall.rear_left', { $case: 'sidewall', value: { quality: { recognized: value !== undefined }, size: value } });
    expect(read(size)).toMatchObject({ result: { size: { section_width: 225, aspect_ratio: 45, rim_diameter: 17 } } });
    expect(read(undefined)).toEqual({ kind: 'measured', quality: { recognized: false, confidence: null }, result: { size: null } });
    expect(read({ ...size, rimDiameterInch: 0 })).toMatchObject({ result: { size: null } });
  });

  it('adds other fields of a sidewall only where they were read, and never a speed marker', () => {
    const size = { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 };
    const read = {
      sizePlace: {
        polygonXyNorm: [
          { x: 0.5, y: 1.0001 },
          { x: Number.NaN, y: 0 },
        ],
      },
      loadIndex: 91,
      speedSymbol: 'W',
      manufactured: { week: 23, year: 2019, ageMonths: 89 },
      brand: 'Hankook',
    };
    const resultOf = (value: SidewallMeasurement) => {
      const outcome = slotOutcome('tire.sidewall.rear_left', { $case: 'sidewall', value });
      const analysis = endedAnalysis('tire.sidewall.rear_left', outcome, '2026-01-01T00:00:00Z');
      return Analysis.parse(analysis).result;
    };
    expect(resultOf({ quality: { recognized: true }, size, ...read })).toEqual({
      size: { section_width: 225, aspect_ratio: 45, rim_diameter: 17 },
      size_polygon_xy_norm: [[0.5, 1]],
      load_index: 91,
      manufactured: { week: 23, year: 2019, age_months: 89 },
      brand: 'Hankook',
    });
    expect(resultOf({ quality: { recognized: false }, size: undefined, ...read })).toEqual({
      size: null,
      manufactured: { week: 23, year: 2019, age_months: 89 },
      brand: 'Hankook',
    });
    expect(resultOf({ quality: { recognized: true }, size, loadIndex: 0, brand: '' })).toEqual({
      size: { section_width: 225, aspect_ratio: 45, rim_diameter: 17 },
    });
  });

  it.each([
    ['a known code', 'tire.tread.front_left', { $case: 'errorCode', value: 'tread_not_found' }, 'tread_not_found'],
    ['an unknown code', 'tire.tread.front_left', { $case: 'errorCode', value: 'segfault' }, 'analysis_failed'],
    ['no outcome', 'tire.tread.front_left', undefined, 'analysis_failed'],
    ['a tread on a sidewall', 'tire.sidewall.front_left', { $case: 'tread', value: tread() }, 'analysis_failed'],
    ['a slot that is none', 'dashboard', { $case: 'tread', value: tread() }, 'analysis_failed'],
  ] as const)('%s fails the slot', (_, slotId, outcome, errorCode) => {
    expect(slotOutcome(slotId, outcome)).toEqual({ kind: 'failed', errorCode });
  });

  it('copies known retake reasons into the report', () => {
    const outcome = slotOutcome('tire.tread.front_left', { $case: 'errorCode', value: 'tread_not_found' }, ['too_dark', 'too_late']);
    expect(outcome).toEqual({ kind: 'failed', errorCode: 'tread_not_found', retakeReasons: ['too_dark'] });
    const analysis = endedAnalysis('tire.tread.front_left', outcome, '2026-01-01T00:00:00Z');
    expect(analysis.retake).toEqual([{ code: 'too_dark', hint: RETAKE_HINTS.too_dark }]);
    expect(Analysis.safeParse(analysis).success).toBe(true);
    const plain = slotOutcome('tire.tread.front_left', { $case: 'errorCode', value: 'tread_not_found' });
    expect(endedAnalysis('tire.tread.front_left', plain, '2026-01-01T00:00:00Z')).not.toHaveProperty('retake');
  });
});
