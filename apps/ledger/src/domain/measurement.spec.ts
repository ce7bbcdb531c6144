import { Analysis, TreadResult } from '@tire/contracts/api';
import type { SidewallMeasurement, TreadMeasurement } from '@tire/contracts/events';
import { RETAKE_HINTS } from '@tire/kernel';
import { endedAnalysis } from './analysis';
import { slotOutcome } from './measurement';

type BaldZones = NonNullable<TreadMeasurement['baldZones']>;
type BaldZone = BaldZones['zones'][number];

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

  const interval = (lowMm: number, highMm: number) => ({ lowMm, highMm });
  const zone = (over: Partial<BaldZone> = {}): BaldZone => ({ fromShare: 0.4, toShare: 0.6, place: 'center', polygonXyNorm: [], ...over });
  const bald = (over: Partial<BaldZones> = {}): BaldZones => ({ shareOfWidth: 0.2, wornSmooth: false, zones: [zone()], ...over });
  /** Parsed by the schema of the interface, so that nothing that it refuses passes. */
  const resultOfTread = (over: Partial<TreadMeasurement>): TreadResult => {
    const analysis = endedAnalysis('tire.tread.front_left', outcomeOfTread(over), '2026-01-01T00:00:00Z');
    return TreadResult.parse(Analysis.parse(JSON.parse(JSON.stringify(analysis))).result);
  };

  it('maps intervals and bald zones', () => {
    const masks = tread().grooveMasks.map((mask, index) => ({ ...mask, depthInterval: interval(3.5, 5.5 + index) }));
    const measured = resultOfTread({
      aggregatedDepthInterval: interval(3.8, 4.6),
      individualDepthInterval: [interval(3.6, 4.8), interval(4.4, 5.6)],
      grooveMasks: masks,
      baldZones: bald({
        zones: [zone({ fromShare: 0.9, toShare: 1.004, place: 'last_shoulder' }), zone({ polygonXyNorm: [{ x: 0.5, y: 1.01 }] })],
      }),
    });
    expect(measured.aggregated_depth).toEqual({
      aggregated_remaining_depth: 4.2,
      estimated_lifetime: 21_000,
      depth_interval_mm: [3.8, 4.6],
    });
    expect(measured.individual_depths).toEqual({
      individual_remaining_depth: [4.2, 5],
      depth_intervals_mm: [
        [3.6, 4.8],
        [4.4, 5.6],
      ],
    });
    expect(measured.groove_masks.map(({ depth_interval_mm }) => depth_interval_mm)).toEqual([
      [3.5, 5.5],
      [3.5, 6.5],
    ]);
    expect(measured.bald_zones).toEqual({
      share_of_width: 0.2,
      worn_smooth: false,
      zones: [
        { place: 'center', from_share: 0.4, to_share: 0.6, polygon_xy_norm: [[0.5, 1]] },
        { place: 'last_shoulder', from_share: 0.9, to_share: 1, polygon_xy_norm: [] },
      ],
    });
  });

  it('maps parts that were not seen, each once and in their order, and drops none that it does not know', () => {
    const partsOf = (...parts: [place: string, reason: string][]) =>
      resultOfTread({ unseen: { parts: parts.map(([place, reason]) => ({ place, reason })) } }).unseen_parts;
    expect(partsOf()).toEqual([]);
    expect(partsOf(['last_shoulder', 'groove_unclear'], ['first_shoulder', 'outside_image'], ['last_shoulder', 'groove_unclear'])).toEqual([
      { place: 'first_shoulder', reason: 'outside_image' },
      { place: 'last_shoulder', reason: 'groove_unclear' },
    ]);
    expect(partsOf(['somewhere', 'for a reason of tomorrow'])).toEqual([{ place: 'center', reason: 'groove_unclear' }]);
  });

  it('adds no field to the result of an engine that measures neither', () => {
    const text = JSON.stringify(resultOfTread({}));
    for (const field of ['depth_interval_mm', 'depth_intervals_mm', 'bald_zones', 'unseen_parts']) expect(text).not.toContain(field);
    expect(resultOfTread({ baldZones: bald({ shareOfWidth: 0, zones: [] }) }).bald_zones).toEqual({
      share_of_width: 0,
      worn_smooth: false,
      zones: [],
    });
  });

  it.each([
    ['NaN', interval(Number.NaN, 5)],
    ['infinite', interval(1, Number.POSITIVE_INFINITY)],
    ['upside down', interval(5, 4)],
    ['below nothing', interval(-0.1, 5)],
    ['deeper than any tire', interval(1, 51)],
  ])('leaves out an interval that is %s, and keeps the depth', (_, impossible) => {
    const masks = tread().grooveMasks.map((mask) => ({ ...mask, depthInterval: impossible }));
    const individualDepthInterval = [impossible, interval(4.5, 5.5)];
    expect(resultOfTread({ aggregatedDepthInterval: impossible, individualDepthInterval, grooveMasks: masks })).toEqual(resultOfTread({}));
  });

  it('leaves out intervals that match no depths, and drops that of a groove without a depth', () => {
    const intervals = [interval(3, 5), interval(4, 6)];
    expect(resultOfTread({ individualDepthInterval: intervals.slice(1) })).toEqual(resultOfTread({}));
    expect(resultOfTread({ individualDepthInterval: [...intervals, ...intervals] })).toEqual(resultOfTread({}));
    expect(resultOfTread({ individualRemainingDepthMm: [Number.NaN, 5], individualDepthInterval: intervals }).individual_depths).toEqual({
      individual_remaining_depth: [5],
      depth_intervals_mm: [[4, 6]],
    });
    const none = { individualRemainingDepthMm: [Number.NaN, Number.NaN], individualDepthInterval: intervals };
    expect(resultOfTread(none).individual_depths).toEqual({ individual_remaining_depth: [] });
    expect(resultOfTread({ aggregatedRemainingDepthMm: undefined, aggregatedDepthInterval: interval(1, 2) }).aggregated_depth).toEqual({
      aggregated_remaining_depth: null,
      estimated_lifetime: 21_000,
    });
  });

  it('widens an interval that does not hold its depth', () => {
    const measured = resultOfTread({
      aggregatedDepthInterval: interval(4.5, 5),
      individualDepthInterval: [interval(1, 2), interval(5, 5)],
    });
    expect(measured.aggregated_depth?.depth_interval_mm).toEqual([4.2, 5]);
    expect(measured.individual_depths.depth_intervals_mm).toEqual([
      [1, 4.2],
      [5, 5],
    ]);
  });

  it('keeps no depth of a tread that is worn smooth, and that is a recognized success', () => {
    const smooth = {
      quality: { recognized: false, confidence: 0.3 },
      baldZones: bald({ wornSmooth: true, shareOfWidth: Number.NaN, zones: [] }),
    };
    expect(outcomeOfTread(smooth)).toEqual({
      kind: 'measured',
      quality: { recognized: true, confidence: 0.3 },
      result: {
        aggregated_depth: null,
        individual_depths: { individual_remaining_depth: [] },
        groove_masks: [],
        tire_rotation: 90,
        vehicle_side: 'left',
        tread_roi: { bbox_xyxy_norm: [0, 0.1, 1, 0.9] },
        bald_zones: { share_of_width: 1, worn_smooth: true, zones: [] },
      },
    });
    expect(resultOfTread(smooth).bald_zones?.worn_smooth).toBe(true);
  });

  it.each<[string, Partial<BaldZone>]>([
    ['of no width', { toShare: 0.4 }],
    ['upside down', { fromShare: 0.6, toShare: 0.4 }],
    ['that begins nowhere', { fromShare: Number.NaN }],
    ['that ends nowhere', { toShare: Number.POSITIVE_INFINITY }],
    ['outside of the tread', { fromShare: 1.2, toShare: 1.4 }],
    ['before the tread', { fromShare: -0.5 }],
    ['at an unknown place', { place: 'toString' }],
  ])('drops a zone %s, and no other', (_, impossible) => {
    const zones = [zone(impossible), zone({ fromShare: 0, toShare: 0.1, place: 'first_shoulder' })];
    expect(resultOfTread({ baldZones: bald({ zones }) }).bald_zones?.zones.map(({ place }) => place)).toEqual(['first_shoulder']);
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, -0.5, 1.5])(
    'takes the share of the zones where it is %p, and nothing without zones',
    (shareOfWidth) => {
      const zones = [
        zone({ fromShare: 0.25, toShare: 0.5 }),
        zone({ fromShare: 0.25, toShare: 0.75 }),
        zone({ fromShare: 0.25, toShare: 0.375 }),
      ];
      expect(resultOfTread({ baldZones: bald({ shareOfWidth, zones }) }).bald_zones?.share_of_width).toBe(0.5);
      expect(resultOfTread({ baldZones: bald({ shareOfWidth, zones: [] }) }).bald_zones).toBeUndefined();
    },
  );

  it('bounds the number of zones and the length of an outline', () => {
    const points = Array.from({ length: 257 }, () => ({ x: 0.5, y: 0.5 }));
    const zones = Array.from({ length: 1_000 }, () => zone({ polygonXyNorm: points }));
    const found = resultOfTread({ baldZones: bald({ zones }) }).bald_zones!.zones;
    expect([found.length, found[0]!.polygon_xy_norm]).toEqual([8, []]);
    const [whole] = resultOfTread({ baldZones: bald({ zones: [zone({ polygonXyNorm: points.slice(1) })] }) }).bald_zones!.zones;
    expect(whole!.polygon_xy_norm).toHaveLength(256);
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
