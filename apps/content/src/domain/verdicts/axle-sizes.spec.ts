import { sidewallFindings } from './axle-sizes';
import { RULESET_2_0 } from '../rulesets/ruleset-2.0';
import type { SidewallSource } from '../source/source';

type Size = readonly [widthMm: number, aspectPercent: number, rimInch: number];
const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
const SHARED = { slotIds: ['tire.sidewall.rear_left'], isSame: true };
const A: Size = [205, 55, 16];
const B: Size = [215, 55, 17];
const WIDE: Size = [235, 45, 17];
const TALL: Size = [205, 65, 16];

function sidewalls(sizes: readonly (Size | null)[], change: Partial<SidewallSource>[] = []): SidewallSource[] {
  return POSITIONS.map((position, index) => {
    const size = sizes[index];
    return {
      position,
      slotId: `tire.sidewall.${position}`,
      asset: {} as SidewallSource['asset'],
      size: size ? { section_width: size[0], aspect_ratio: size[1], rim_diameter: size[2] } : null,
      isManual: false,
      sharedWith: null,
      manufactured: null,
      result: null,
      ...change[index],
    };
  });
}
const judged = (...given: Parameters<typeof sidewalls>) => sidewallFindings(sidewalls(...given), RULESET_2_0);

describe('sizes under ruleset 2.0', () => {
  it.each([
    ['all alike', [A, A, A, A], { severity: 'good', frontRearMatch: true, frontSpec: '205/55R16', recognizedCount: 4 }, []],
    ['of two sizes on the front axle', [A, B, A, A], { severity: 'caution', frontRearMatch: null, frontSpec: null }, ['front']],
    ['of two sizes on both axles, crosswise', [A, B, B, A], { severity: 'caution', frontSpec: null, rearSpec: null }, ['front', 'rear']],
    ['of two sizes on an axle, and none behind', [A, B, null, null], { severity: 'caution' }, ['front']],
    [
      'wider behind by design',
      [
        [225, 45, 17],
        [225, 45, 17],
        [245, 40, 18],
        [245, 40, 18],
      ],
      { severity: 'good', frontRearMatch: false },
      [],
    ],
    ['one of each axle, alike', [A, null, A, null], { severity: 'unknown', frontRearMatch: null, frontSpec: '205/55R16' }, []],
    ['front only', [A, A, null, null], { severity: 'unknown', frontRearMatch: null, rearSpec: null }, []],
    ['none', [null, null, null, null], { severity: 'unknown', frontRearMatch: null, recognizedCount: 0 }, []],
  ] as const)('%s', (_name, sizes, expected, mixedAxles) => {
    const found = judged(sizes);
    expect(found).toMatchObject(expected);
    expect(found.axles?.mixedAxles).toEqual(mixedAxles);
  });

  it.each([
    [WIDE, [225, 45, 17], 1.4, 'good'],
    [A, TALL, 6.5, 'caution'],
  ] as const)('%j and %j differ by %s %% in diameter: %s', (front, rear, percent, severity) => {
    for (const [one, other] of [
      [front, rear],
      [rear, front],
    ]) {
      const found = judged([one!, one!, other!, other!]);
      expect(found.severity).toBe(severity);
      expect(found.axles).toMatchObject({ diameterDifferencePercent: percent, diametersDiffer: severity === 'caution' });
    }
  });

  it('finds diameters that differ in one tire of each axle too', () => {
    expect(judged([A, null, null, TALL])).toMatchObject({ severity: 'caution', frontRearMatch: null });
  });

  it('takes no size from a photograph that is in the slot of another tire too', () => {
    const found = judged([A, null, A, null], [{ sharedWith: SHARED }, {}, { sharedWith: SHARED }, {}]);
    expect(found).toMatchObject({ severity: 'unknown', recognizedCount: 0, frontSpec: null, rearSpec: null });
    expect(found.axles!.front.state).toBe('shared');
  });

  it.each([
    [71, [], [], 'good'],
    [72, ['front_left'], [], 'good'],
    [119, ['front_left'], [], 'good'],
    [120, [], ['front_left'], 'caution'],
  ] as const)('of a tire that is %i months old', (age_months, check, replace, severity) => {
    const found = judged([A, A, A, A], [{ manufactured: { week: 1, year: 2015, age_months } }]);
    expect(found.severity).toBe(severity);
    expect(found.axles).toMatchObject({ check, replace });
  });
});
