import { judgeTire, remainingKm } from './tire-verdict';
import { RULESET_1_1 } from '../rulesets/ruleset-1.1';
import { RULESET_2_0 } from '../rulesets/ruleset-2.0';

const tread = (minimumDepthMm: number | null, intervalMm: readonly [number, number] | null = null) => ({
  minimumDepthMm,
  intervalMm,
  bald: null,
  unseen: [],
  sharedWith: null,
  ageMonths: null,
});
const BALD = { wornSmooth: false, shareOfWidth: 0.2, places: ['center'] } as const;
const SMOOTH = { wornSmooth: true, shareOfWidth: 1, places: ['whole'] } as const;
const SHARED = { slotIds: ['tire.tread.rear_left'], isSame: true };

describe('a tire under ruleset 2.0', () => {
  it.each([
    [1, [0.6, 1.6], 'critical', 'sure', 'critical'],
    [1.6, [1.6, 1.6], 'critical', 'sure', 'critical'],
    [1.6, [1.4, 1.7], 'critical', 'likely', 'likely'],
    [0.9, [0.2, 3.5], 'critical', 'likely', 'likely'],
    [1.7, [1.6, 1.8], 'caution', 'near_limit', 'near_limit'],
    [3.4, [1.5, 5.3], 'caution', 'near_limit', 'uncertain'],
    [5, [1.6, 8.4], 'caution', 'near_limit', 'uncertain'],
    [3, [1.6, 4.4], 'caution', 'near_limit', 'near_limit'],
    [2.3, [1.8, 2.8], 'caution', 'sure', 'caution'],
    [3, [2.5, 3.5], 'caution', 'near_limit', 'caution'],
    [3.1, [2.8, 3.4], 'caution', 'near_limit', 'near_threshold'],
    [3.4, [2.9, 3.9], 'caution', 'near_limit', 'near_threshold'],
    [4.9, [2.9, 6.9], 'good', 'sure', 'good'],
    [3.4, [2.8, 4], 'caution', 'near_limit', 'near_threshold'],
    [3.1, [3, 3.2], 'good', 'sure', 'good'],
    [3.1, [3.1, 3.1], 'good', 'sure', 'good'],
    [6, [5.5, 6.5], 'good', 'sure', 'good'],
  ] as const)('of %s mm, %j, is %s (%s, %s)', (depthMm, interval, verdict, certainty, state) => {
    expect(judgeTire(tread(depthMm, interval), RULESET_2_0)).toMatchObject({ verdict, certainty, state });
  });

  it.each([
    [null, 'unknown', 'unknown'],
    [1.6, 'critical', 'critical'],
    [3, 'caution', 'caution'],
    [3.1, 'good', 'good'],
  ] as const)('of %s mm without an interval is %s as ever', (depthMm, verdict, state) => {
    expect(judgeTire(tread(depthMm), RULESET_2_0)).toMatchObject({ verdict, certainty: null, state });
    expect(judgeTire(tread(depthMm, [0, 9]), RULESET_1_1)).toMatchObject({ verdict, certainty: null, state });
  });

  it('is never good where it was near a limit: over every depth and interval', () => {
    for (let depth = 0; depth <= 60; depth += 1)
      for (let spread = 0; spread <= 30; spread += 1) {
        const [depthMm, low, high] = [depth / 10, Math.max(0, depth - spread) / 10, (depth + spread) / 10];
        const { verdict, certainty } = judgeTire(tread(depthMm, [low, high]), RULESET_2_0);
        if (verdict === 'good') expect(low).toBeGreaterThan(1.6);
        if (verdict === 'good' && low < 3) expect((3 - low) / (high - low)).toBeLessThanOrEqual(0.025 + 1e-6);
        if (verdict === 'critical' && certainty === 'sure') expect(high).toBeLessThanOrEqual(1.6);
      }
  });

  it('with a bald zone is critical whatever the depths of its grooves are', () => {
    expect(judgeTire({ ...tread(6, [5.5, 6.5]), bald: BALD }, RULESET_2_0)).toMatchObject({
      verdict: 'critical',
      state: 'bald',
      certainty: null,
    });
    expect(judgeTire({ ...tread(null), bald: SMOOTH }, RULESET_2_0)).toMatchObject({ verdict: 'critical', state: 'worn_smooth' });
  });

  it.each([
    [119, 5, 'good', 'good'],
    [120, 5, 'caution', 'old'],
    [200, 3.1, 'caution', 'near_threshold'],
    [200, 2.3, 'caution', 'caution'],
    [200, 1.9, 'caution', 'near_limit'],
    [200, 1, 'critical', 'critical'],
  ] as const)('that is %i months old, of %s mm, is %s (%s)', (ageMonths, depthMm, verdict, state) => {
    const aged = { ...tread(depthMm, [depthMm - 0.4, depthMm + 0.4]), ageMonths };
    expect(judgeTire(aged, RULESET_2_0)).toMatchObject({ verdict, state });
    expect(judgeTire(aged, RULESET_1_1).state).not.toBe('old');
  });

  it.each([
    [6, [5.5, 6.5], 'caution', 'part_unseen', null],
    [6, null, 'caution', 'part_unseen', null],
    [3.2, [2.8, 3.6], 'caution', 'near_threshold', 'near_limit'],
    [2.3, [1.8, 2.8], 'caution', 'caution', null],
    [1.9, [1.4, 2.4], 'caution', 'near_limit', 'near_limit'],
    [1, [0.6, 1.5], 'critical', 'critical', 'sure'],
    [null, null, 'unknown', 'unknown', null],
  ] as const)('of %s mm, %j, with a part that was not seen, is %s (%s), %s', (depthMm, interval, verdict, state, certainty) => {
    const unseen = [{ place: 'last_shoulder', reason: 'outside_image' }] as const;
    expect(judgeTire({ ...tread(depthMm, interval), unseen }, RULESET_2_0)).toMatchObject({ verdict, state, certainty });
  });

  it('that is old and has a part that was not seen is judged by that part', () => {
    const old = { ...tread(6, [5.5, 6.5]), unseen: [{ place: 'center', reason: 'groove_unclear' }] as const, ageMonths: 130 };
    expect(judgeTire(old, RULESET_2_0)).toMatchObject({ verdict: 'caution', state: 'part_unseen' });
  });

  it('whose photograph is in two slots is not good, and a fault in it is not hidden', () => {
    const shared = (depthMm: number | null, interval: readonly [number, number] | null = null) =>
      judgeTire({ ...tread(depthMm, interval), sharedWith: SHARED }, RULESET_2_0);
    expect(shared(6, [5.5, 6.5])).toMatchObject({ verdict: 'unknown', state: 'shared', certainty: null });
    expect(shared(2.3, [1.8, 2.8])).toMatchObject({ verdict: 'caution', state: 'shared', certainty: null });
    expect(shared(1, [0.6, 1.5])).toMatchObject({ verdict: 'critical', state: 'shared', certainty: 'likely' });
    expect(shared(null)).toMatchObject({ verdict: 'unknown', state: 'shared' });
  });
});

describe('the remaining distance', () => {
  const km = (depthMm: number, interval: readonly [number, number] | null) =>
    remainingKm(judgeTire(tread(depthMm, interval), RULESET_2_0), interval, RULESET_2_0);

  it.each([
    [4, [3.4, 4.6], [15_000, 25_000]],
    [5.1, [4.6, 5.6], [25_000, 34_000]],
    [2.3, [1.8, 2.8], [1_600, 10_000]],
    [2.2, [1.9, 2.75], [2_500, 9_600]],
    [5, [1.5, 8.5], null],
    [1.9, [1.4, 2.4], [0, 6_700]],
    [1.4, [0.9, 1.9], null],
    [4, null, null],
  ] as const)('of %s mm, %j, is %j km', (depthMm, interval, expected) => {
    expect(km(depthMm, interval)).toEqual(expected);
  });
});
