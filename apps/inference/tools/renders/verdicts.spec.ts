import type { Drawn, Measured } from './figures';
import { truthOf, verdictLines, verdictOf } from './verdicts';

type Groove = Measured['grooves'][number];
const groove = (depthMm: number, low = depthMm, high = depthMm): Groove => ({ number: 1, depthMm, intervalMm: [low, high] });
const measured = (grooves: readonly Groove[], part: Partial<Measured> = {}): Measured => ({
  ...{ rotationDeg: 0, vehicleSide: 'unknown', grooves },
  ...part,
});
const drawn = (depthsMm: readonly number[], baldShare = 0): Drawn => ({
  ...{ tread: 'yes', rotationDeg: 0, vehicleSide: 'unknown', baldShare },
  grooves: depthsMm.map((depthMm, i) => ({ number: i + 1, depthMm })),
});

it.each<[string, Measured | null, string | undefined]>([
  ['surely deep', measured([groove(5, 3.2, 7), groove(6, 1, 9)]), 'good'],
  ['a tenth of the interval below', measured([groove(5, 2.6, 6.6)]), 'good'],
  ['more than a tenth of it', measured([groove(5, 2.5, 6.6)]), 'caution'],
  ['between the limits', measured([groove(2.2, 1.9, 2.5)]), 'caution'],
  ['at the legal limit', measured([groove(7), groove(1.6, 1, 2)]), 'critical'],
  ['deep beside a bald zone', measured([groove(7)], { baldShare: 0.15 }), 'critical'],
  ['smooth', measured([], { wornSmooth: true }), 'critical'],
  ['deep without an interval', measured([{ number: 1, depthMm: 3 }]), 'good'],
  ['worn without an interval', measured([{ number: 1, depthMm: 2.9 }]), 'caution'],
  ['refused', null, undefined],
])('a tread that is %s', (_, found, verdict) => {
  expect(verdictOf(found)).toBe(verdict);
});

it.each<[number[], number, string | undefined]>([
  [[5, 1.6], 0, 'legal'],
  [[2.9, 8], 0, 'inspect'],
  [[3], 0, 'deep'],
  [[], 0.4, 'legal'],
  [[], 0, undefined],
])('the truth of grooves of %j mm with a bald share of %d', (depthsMm, baldShare, truth) => {
  expect(truthOf(drawn(depthsMm, baldShare))).toBe(truth);
});

it('verdicts are counted by the truth', () => {
  const [bothPx, eitherPx] = [1, 1];
  const lines = verdictLines([
    { drawn: drawn([1.5]), measured: measured([groove(4, 3.5, 5)]), bothPx, eitherPx },
    { drawn: drawn([2]), measured: measured([groove(1.7, 1.2, 2.2)]), bothPx, eitherPx },
    { drawn: drawn([5], 0.2), measured: null, bothPx, eitherPx },
    { drawn: drawn([]), measured: null, bothPx, eitherPx },
  ]);
  expect(lines).toEqual([
    '| true lowest groove | treads | good | caution | critical | refused |',
    '|---|--:|--:|--:|--:|--:|',
    '| 1.6 mm or less | 1 | 1 | 0 | 0 | 0 |',
    '| 1.6 to 3.0 mm | 1 | 0 | 1 | 0 | 0 |',
    '| 3.0 mm and more | 1 | 0 | 0 | 0 | 1 |',
    '| a tenth of the width or more is bald | 1 | 0 | 0 | 0 | 1 |',
    '',
    'good at 1.6 mm or less: 1 of 3; good below 3.0 mm: 1 of 3; the interval reaches a limit: 1',
  ]);
});
