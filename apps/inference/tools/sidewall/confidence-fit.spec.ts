import { probabilityOf } from '../../src/domain/sidewall/size/confidence';
import { fitConfidence, leastConfidence, reliabilityOf, type ScoredReading } from './confidence-fit';

/** Readings that are right as often as the function says for their score. */
function judged(rightAt: (score: number) => number): ScoredReading[] {
  return Array.from({ length: 2000 }, (_, i) => {
    const score = ((i * 7919) % 1000) / 1000;
    return { confidence: score, right: (i * 104729) % 1009 < 1009 * rightAt(score) };
  });
}

it.each<[string, (score: number) => number]>([
  ['an engine that believes in itself too much', (score) => probabilityOf(score, { slope: 0.6, intercept: -1 })],
  ['one that does too little', (score) => probabilityOf(score, { slope: 1.5, intercept: 1.2 })],
])('calibrates %s', (_, rightAt) => {
  const readings = judged(rightAt);
  const fitted = fitConfidence(readings);
  for (const score of [0.1, 0.4, 0.7, 0.9]) expect(Math.abs(probabilityOf(score, fitted) - rightAt(score))).toBeLessThan(0.06);
  const calibrated = readings.map(({ confidence, right }) => ({ confidence: probabilityOf(confidence, fitted), right }));
  for (const { meanConfidence, rightShare, count } of reliabilityOf(calibrated)) {
    if (count > 100) expect(Math.abs(meanConfidence - rightShare)).toBeLessThan(0.08);
  }
});

it('never reverses the order of scores', () => {
  const { slope } = fitConfidence(judged((score) => 1 - score));
  expect(slope).toBeGreaterThan(0);
});

it('stays finite where every reading is right', () => {
  const fitted = fitConfidence(judged(() => 1));
  expect(probabilityOf(0.9, fitted)).toBeGreaterThan(0.9);
  expect(probabilityOf(0.9, fitted)).toBeLessThan(1);
});

it('keeps as many readings as the allowed share of wrong ones permits', () => {
  const readings = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map((confidence, i) => ({ confidence, right: i !== 3 && i !== 5 }));
  expect(leastConfidence(readings, 0)).toBe(0.7);
  expect(leastConfidence(readings, 0.25)).toBe(0.5);
  expect(leastConfidence([{ confidence: 0.9, right: false }], 0.1)).toBe(1);
  const equals = [true, false].map((right) => ({ confidence: 0.9, right }));
  expect(leastConfidence(equals, 0)).toBe(1);
  expect(leastConfidence([...equals].reverse(), 0)).toBe(1);
});

it('compares readings with their claimed confidence', () => {
  const rows = reliabilityOf([
    { confidence: 0.95, right: true },
    { confidence: 0.93, right: false },
    { confidence: 0.2, right: false },
    { confidence: 1, right: true },
  ]);
  expect(rows.map(({ from, count, rightShare }) => [from, count, rightShare])).toEqual([
    [0.2, 1, 0],
    [0.9, 3, 2 / 3],
  ]);
});
