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
  ['surely deep', measured([groove(5, 3.2, 7), groove(6, 3.1, 9)]), 'good'],
  ['surely deep in its lowest groove alone', measured([groove(5, 3.2, 7), groove(6, 1, 9)]), 'near'],
  ['a fortieth of the interval below', measured([groove(5, 2.9, 6.9)]), 'good'],
  ['more than that of it', measured([groove(5, 2.8, 6.8)]), 'near'],
  ['above the legal limit, perhaps', measured([groove(2.2, 1.6, 2.8)]), 'near'],
  ['between the limits', measured([groove(2.2, 1.9, 2.5)]), 'caution'],
  ['at the legal limit', measured([groove(7), groove(1.6, 1, 2)]), 'likely'],
  ['surely at the legal limit', measured([groove(7), groove(1.2, 0.8, 1.64)]), 'critical'],
  ['deep beside a bald zone', measured([groove(7)], { baldShare: 0.15 }), 'critical'],
  ['smooth', measured([], { wornSmooth: true }), 'critical'],
  ['deep without an interval', measured([{ number: 1, depthMm: 3.1 }]), 'good'],
  ['at the threshold', measured([{ number: 1, depthMm: 3.04 }]), 'caution'],
  ['worn without an interval', measured([{ number: 1, depthMm: 2.9 }]), 'caution'],
  ['surely deep where it was seen', measured([groove(5, 3.2, 7)], { unseenParts: 1 }), 'unseen'],
  ['worn, and in part not seen', measured([groove(2.2, 1.9, 2.5)], { unseenParts: 1 }), 'caution'],
  ['seen as a whole', measured([groove(5, 3.2, 7)], { unseenParts: 0 }), 'good'],
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
    { drawn: { ...drawn([5]), widthSeen: [0.2, 1] }, measured: measured([groove(5, 4, 6)], { unseenParts: 1 }), bothPx, eitherPx },
  ]);
  expect(lines).toEqual([
    '| true lowest groove | treads | good | part not seen | not sure near a limit | caution | likely critical | critical | refused |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    '| 1.6 mm or less | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 |',
    '| 1.6 to 3.0 mm | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 |',
    '| 3.0 mm and more | 2 | 0 | 1 | 0 | 0 | 0 | 0 | 1 |',
    '| a tenth of the width or more is bald | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 1 |',
    '| a tenth of the width or more is not in the image | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 0 |',
    '',
    'good at 1.6 mm or less: 1 of 1; good below 3.0 mm: 1 of 2; not sure near a limit: 1 of 4; deep enough, but a part not seen: 1 of 4',
  ]);
});
