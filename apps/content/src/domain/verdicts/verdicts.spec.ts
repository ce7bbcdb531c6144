import { axleVariance, judgeAxle } from './axle-variance';
import { roundTenth } from './numbers';
import { withParticle } from '../copy/particles';
import { generationOf } from '../versions/registry';
import { RULESET_1_1 } from '../rulesets/ruleset-1.1';
import { RULESET_2_0 } from '../rulesets/ruleset-2.0';
import { sidewallSummary } from './sidewall-summary';
import { overallSeverity, severityOfDepth, worst } from './severity';
import { wearOfBald, wearPattern, wearWithin } from './wear-pattern';

describe('depth', () => {
  it.each([
    [null, 'unknown'],
    [0, 'critical'],
    [1.6, 'critical'],
    [1.7, 'caution'],
    [3.0, 'caution'],
    [3.1, 'good'],
    [8, 'good'],
  ] as const)('%s mm is %s', (depthMm, severity) => {
    expect(severityOfDepth(depthMm, RULESET_1_1)).toBe(severity);
  });

  it('is rounded half up on every hundredth that a gauge can show', () => {
    const halves = Array.from({ length: 300 }, (_, tenths) => tenths);
    expect(halves.map((tenths) => roundTenth((tenths * 10 + 5) / 100))).toEqual(halves.map((tenths) => (tenths + 1) / 10));
    expect(Object.is(roundTenth(-0.04), 0)).toBe(true);
  });

  it('is judged after rounding', () => {
    expect(severityOfDepth(roundTenth(1.649), RULESET_1_1)).toBe('critical');
    expect(severityOfDepth(roundTenth(1.65), RULESET_1_1)).toBe('caution');
    expect(severityOfDepth(roundTenth(3.04), RULESET_1_1)).toBe('caution');
  });
});

describe('overall verdict', () => {
  it.each([
    [['good', 'good'], 'good'],
    [['good', 'unknown'], 'unknown'],
    [['unknown', 'caution'], 'caution'],
    [['caution', 'critical', 'unknown'], 'critical'],
    [[], 'unknown'],
  ] as const)('of %j is %s', (severities, expected) => {
    expect(worst(severities)).toBe(expected);
  });

  it('is lifted to caution by uneven wear or an axle difference, and never further', () => {
    expect(overallSeverity(['good'], ['critical'])).toBe('caution');
    expect(overallSeverity(['good'], ['good', 'unknown'])).toBe('good');
    expect(overallSeverity(['critical'], ['caution'])).toBe('critical');
  });
});

describe('wear pattern', () => {
  it.each([
    [['center'], 0.3, 'center_wear_overinflation_candidate', null],
    [['center'], 0.68, 'mixed_or_uncertain', 'bald'],
    [['first_shoulder'], 0.43, 'one_shoulder_wear_alignment_candidate', null],
    [['last_shoulder'], 0.6, 'mixed_or_uncertain', 'bald'],
    [['first_shoulder', 'last_shoulder'], 0.6, 'both_shoulder_wear_underinflation_candidate', null],
  ] as const)('of bald zones at %j over %d of the width is %s', (places, shareOfWidth, code, reason) => {
    expect(wearOfBald({ places, shareOfWidth })).toMatchObject({ code, reason });
  });

  it.each([
    [[6, 6, 6, 6], 'even_wear', null, null],
    [[5, 5.9, 5.9, 5], 'even_wear', null, null],
    [[5, 4, 4, 5], 'center_wear_overinflation_candidate', null, null],
    [[5, 3.9, 4.9], 'center_wear_overinflation_candidate', null, null],
    [[4, 5, 5, 4], 'both_shoulder_wear_underinflation_candidate', null, null],
    [[3, 4, 5, 5.5], 'one_shoulder_wear_alignment_candidate', 'outside', null],
    [[5.5, 5, 4, 3], 'one_shoulder_wear_alignment_candidate', 'inside', null],
    [[3, 4.2, 4.0, 5], 'one_shoulder_wear_alignment_candidate', 'outside', null],
    [[3, 5, 4, 5], 'mixed_or_uncertain', null, 'no_pattern'],
    [[5, 4.6, 4, 4], 'mixed_or_uncertain', null, 'no_pattern'],
    [[5, 3], 'mixed_or_uncertain', null, 'few_grooves'],
    [[], 'mixed_or_uncertain', null, 'no_depth'],
    [[6.4, 7.6, 7.6, 6.4], 'even_wear', null, 'like_new'],
    [[6.0, 6.8, 7.2, 7.6], 'even_wear', null, 'like_new'],
  ] as const)('%j is %s (%s, %s)', (depthsMm, code, wornSide, reason) => {
    expect(wearPattern(depthsMm, 0.9, RULESET_1_1)).toEqual({ code, wornSide, reason });
  });

  it('is uncertain where the confidence is low', () => {
    expect(wearPattern([6, 6, 6, 6], 0.49, RULESET_1_1)).toMatchObject({ code: 'mixed_or_uncertain', reason: 'low_confidence' });
    expect(wearPattern([6, 6, 6, 6], null, RULESET_1_1).code).toBe('even_wear');
  });
});

describe('axle difference', () => {
  it.each([
    [[5, 5.9], [5, 5], { frontDeltaMm: 0.9, rearDeltaMm: 0, maxDeltaMm: 0.9, severity: 'good' }],
    [[5, 6], [5, 5], { frontDeltaMm: 1, rearDeltaMm: 0, maxDeltaMm: 1, severity: 'caution' }],
    [[5, 5], [3, 5], { frontDeltaMm: 0, rearDeltaMm: 2, maxDeltaMm: 2, severity: 'critical' }],
    [[null, 5], [5, 5], { frontDeltaMm: null, rearDeltaMm: 0, maxDeltaMm: 0, severity: 'unknown' }],
    [[null, 5], [5, null], { frontDeltaMm: null, rearDeltaMm: null, maxDeltaMm: null, severity: 'unknown' }],
  ] as const)('front %j, rear %j', ([frontLeft, frontRight], [rearLeft, rearRight], expected) => {
    expect(axleVariance({ left: frontLeft, right: frontRight }, { left: rearLeft, right: rearRight }, RULESET_1_1)).toMatchObject(expected);
  });
});

describe('axles under ruleset 2.0', () => {
  const NONE = { left: null, right: null };
  it.each([
    ['the intervals leave no room', [5, 5], 0.3, 'alike', 'good'],
    ['just no room', [5, 5.2], 0.5, 'alike', 'good'],
    ['the intervals leave room', [5, 5.3], 0.5, 'cannot_tell', 'unknown'],
    ['wide intervals', [5, 5], 1, 'cannot_tell', 'unknown'],
    ['without intervals', [5, 5.9], null, 'alike', 'good'],
    ['they differ and may be alike', [5, 6], 0.5, 'maybe_alike', 'caution'],
    ['they surely differ', [5, 6.5], 0.5, 'differs', 'caution'],
    ['they differ a lot', [4, 6.5], 0.5, 'differs_much', 'caution'],
  ] as const)('%s: %j', (_what, [left, right], spreadMm, finding, severity) => {
    const around = (depthMm: number) => [depthMm - spreadMm!, depthMm + spreadMm!] as const;
    const intervals = spreadMm === null ? null : ([around(left), around(right)] as const);
    const sides = { left, right, intervals };
    expect(axleVariance(sides, NONE, RULESET_2_0)).toMatchObject({ front: finding, rear: 'unknown' });
    expect(judgeAxle(sides, RULESET_2_0).verdict).toBe(severity);
    expect(judgeAxle({ left: right, right: left, intervals: intervals && [intervals[1], intervals[0]] }, RULESET_2_0).verdict).toBe(
      severity,
    );
  });
});

describe('even wear under ruleset 2.0', () => {
  const pattern = (depthsMm: readonly number[], spreadMm: number | null) =>
    wearWithin(
      wearPattern(depthsMm, 0.9, RULESET_2_0),
      depthsMm,
      spreadMm === null ? [] : depthsMm.map((mm) => [mm - spreadMm, mm + spreadMm] as const),
      RULESET_2_0,
    );

  it.each([
    [[5, 5, 5], 0.3, 'even_wear', null],
    [[5, 5.1, 5.3], 0.7, 'mixed_or_uncertain', 'wide_interval'],
    [[5, 5, 5], null, 'even_wear', null],
    [[5, 4, 4, 5], 2, 'center_wear_overinflation_candidate', null],
    [[6.4, 7.6, 7.6, 6.4], 0.3, 'even_wear', 'like_new'],
    [[6.4, 7.6, 7.6, 6.4], null, 'even_wear', 'like_new'],
    [[6.4, 7.6, 7.6, 6.4], 0.6, 'mixed_or_uncertain', 'wide_interval'],
    [[6.4, 7.6, 7.6, 6.4], 2, 'mixed_or_uncertain', 'wide_interval'],
    [[6.0, 6.8, 7.2, 7.6], 2, 'mixed_or_uncertain', 'wide_interval'],
  ] as const)('of %j with intervals of ±%s mm is %s (%s)', (depthsMm, spreadMm, code, reason) => {
    expect(pattern(depthsMm, spreadMm)).toMatchObject({ code, reason });
  });
});

describe('sizes', () => {
  const size = (section_width: number) => ({ section_width, aspect_ratio: 45, rim_diameter: 17 });
  const read = (...widths: (number | null)[]) =>
    sidewallSummary(
      (['front_left', 'front_right', 'rear_left', 'rear_right'] as const).map((position, i) => ({
        position,
        asset: {},
        size: widths[i] ? size(widths[i]) : null,
      })),
    );

  it.each([
    [
      'all alike',
      [225, 225, 225, 225],
      { recognizedCount: 4, frontSpec: '225/45R17', rearSpec: '225/45R17', frontRearMatch: true, severity: 'good' },
    ],
    ['wider behind', [225, null, 245, 245], { recognizedCount: 3, frontRearMatch: false, severity: 'good' }],
    [
      'front only',
      [225, null, null, null],
      { recognizedCount: 1, frontSpec: '225/45R17', rearSpec: null, frontRearMatch: null, severity: 'good' },
    ],
    [
      'one misread, settled by the rear axle',
      [225, 235, 225, null],
      { front: { state: 'read', spec: '225/45R17', settled: true }, frontSpec: '225/45R17', severity: 'good' },
    ],
    [
      'two that the rear axle does not settle',
      [225, 235, null, null],
      { front: { state: 'disputed' }, frontSpec: null, severity: 'caution' },
    ],
    ['none', [null, null, null, null], { recognizedCount: 0, frontRearMatch: null, severity: 'unknown' }],
  ])('%s', (_name, widths, expected) => {
    expect(read(...widths)).toMatchObject(expected);
  });
});

describe('particles', () => {
  it.each([
    ['1.6mm', '으로/로', '1.6mm로'],
    ['4대', '으로/로', '4대로'],
    ['100km/h', '을/를', '100km/h를'],
    ['30%', '이/가', '30%가'],
    ['225/45R17', '이/가', '225/45R17이'],
    ['225/45R17', '으로/로', '225/45R17로'],
    ['225/45R16', '으로/로', '225/45R16으로'],
    ['3.0', '은/는', '3.0은'],
    ['앞 왼쪽 타이어', '은/는', '앞 왼쪽 타이어는'],
    ['한쪽 마모', '이/가', '한쪽 마모가'],
    ['휠', '으로/로', '휠로'],
    ['트레드 홈', '과/와', '트레드 홈과'],
    ['한쪽 마모 (안쪽)', '이/가', '한쪽 마모 (안쪽)가'],
    ['휠 (앞쪽)', '으로/로', '휠 (앞쪽)로'],
    ['권장 기준(3.0mm)', '과/와', '권장 기준(3.0mm)과'],
    ['마모 한계선(1.6mm)', '을/를', '마모 한계선(1.6mm)을'],
    ['2.7m', '으로/로', '2.7m로'],
    ['17인치', '으로/로', '17인치로'],
    ['10', '으로/로', '10으로'],
    ['100', '이/가', '100이'],
    ['1', '으로/로', '1로'],
    ['3', '으로/로', '3으로'],
    ['네 타이어', '을/를', '네 타이어를'],
    ['앞 왼쪽', '과/와', '앞 왼쪽과'],
  ] as const)('%s + %s', (text, particle, expected) => {
    expect(withParticle(text, particle)).toBe(expected);
  });
});

describe('registry', () => {
  it('has every issued version and no other', () => {
    const versions = { copy_version: '1.0', projection_version: '1.0' };
    expect(generationOf({ ...versions, ruleset_version: '1.0' }, 'ko-KR').ruleset.braking.withGapPercent).toBe(false);
    expect(generationOf({ ...versions, ruleset_version: '1.1' }, 'ko-KR').ruleset.braking.withGapPercent).toBe(true);
    expect(() => generationOf({ ...versions, ruleset_version: '9.9' }, 'ko-KR')).toThrow('No ruleset version 9.9');
    expect(() => generationOf({ ...versions, ruleset_version: '1.1' }, 'en-US')).toThrow('No copy version 1.0');
  });
});
