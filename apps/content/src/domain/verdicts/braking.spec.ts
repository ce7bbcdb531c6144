import { brakingEstimate, judgeBraking, stoppingDistanceM } from './braking';
import { roundTenth } from './numbers';
import { RULESET_1_1 } from '../rulesets/ruleset-1.1';
import { RULESET_2_0 } from '../rulesets/ruleset-2.0';

const distance = (depthMm: number) => roundTenth(stoppingDistanceM(depthMm, RULESET_1_1.braking));

describe('braking distance', () => {
  it.each([
    [9, 47.2],
    [7.5, 47.2],
    [5.5, 48.6],
    [4.3, 50.4],
    [4.0, 52.4],
    [3.0, 65.5],
    [2.8, 67.1],
    [1.6, 71.9],
    [1.0, 83.0],
    [0.2, 83.0],
  ])('at %s mm on a wet road from 100 km/h is %s m', (depthMm, expectedM) => {
    expect(distance(depthMm)).toBe(expectedM);
  });

  it('never gets shorter with less tread', () => {
    const tenths = Array.from({ length: 100 }, (_, i) => i / 10);
    const distances = tenths.map(distance);
    expect(distances).toEqual([...distances].sort((a, b) => b - a));
  });

  it('gives figures that are consistent after rounding', () => {
    const estimate = brakingEstimate(3.0, RULESET_1_1);
    expect(estimate).toMatchObject({
      newTireDistanceM: 47.2,
      currentTireDistanceM: 65.5,
      gapM: 18.3,
      gapCarLengths: 4.1,
      gapPercent: 38.8,
      speedAtNewTireStopKmh: 52.8,
      band: 'long',
    });
  });

  it.each([8, 7.5, 7.4])('is the new tire at %s mm, where no difference is shown', (depthMm) => {
    expect(brakingEstimate(depthMm, RULESET_1_1)).toMatchObject({ gapM: 0, gapPercent: 0, speedAtNewTireStopKmh: 0, band: 'short' });
  });

  it.each([
    [4.3, 'short'],
    [4.0, 'moderate'],
    [3.5, 'moderate'],
    [3.0, 'long'],
  ])('at %s mm is %s', (depthMm, band) => {
    expect(brakingEstimate(depthMm, RULESET_1_1).band).toBe(band);
  });

  it.each<[depthMm: number, interval: [number, number], nearest: string, farthest: string]>([
    [5, [4.5, 5.5], 'short', 'short'],
    [4, [3.5, 4.5], 'short', 'moderate'],
    [3.6, [3.4, 3.8], 'moderate', 'moderate'],
    [3.3, [2.8, 3.8], 'moderate', 'long'],
  ])('at %s mm (%j) is %s at the near end and %s at the far end', (depthMm, interval, nearestBand, farthestBand) => {
    expect(brakingEstimate(depthMm, RULESET_1_1, interval)).toMatchObject({ nearestBand, farthestBand });
  });

  it.each<[depthMm: number, interval: [number, number] | null, isAtLeast: boolean]>([
    [1.4, [0.9, 1.9], true],
    [5, [0.9, 9.1], true],
    [1.5, [1, 2], false],
    [0.9, null, true],
    [1, null, false],
  ])('at %s mm (%j) the far end is a lower bound: %s', (depthMm, interval, isAtLeast) => {
    expect(brakingEstimate(depthMm, RULESET_2_0, interval).isAtLeast).toBe(isAtLeast);
  });

  it.each([
    ['short', ['good', 'caution'], 'unknown'],
    ['moderate', ['caution', 'unknown'], 'unknown'],
    ['long', ['caution'], 'caution'],
    ['long', ['critical'], 'critical'],
  ] as const)('with %s as the far band, tires %j and aged rubber, the section is not good', (band, tires, verdict) => {
    expect(judgeBraking(band, tires, { isAged: true, isPartUnseen: false }).verdict).toBe(verdict);
  });

  it.each([
    ['short', ['caution', 'good'], 'unknown'],
    ['long', ['caution'], 'caution'],
    ['short', ['critical'], 'critical'],
  ] as const)('with %s as the far band, tires %j and a part that was not seen, the section is %s', (band, tires, verdict) => {
    expect(judgeBraking(band, tires, { isAged: false, isPartUnseen: true }).verdict).toBe(verdict);
  });

  it('has the same band at both ends of an exact depth', () => {
    expect(brakingEstimate(3.5, RULESET_1_1)).toMatchObject({ nearestBand: 'moderate', farthestBand: 'moderate' });
  });
});
