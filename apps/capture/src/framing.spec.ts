import { firstMoment, nextMoment, readiness, type Moment } from '../web/hints/moment';
import type { Hint } from '../web/hints/hints';
import { tiltOf } from '../web/hints/tilt';

/** Frames with their hints, one every 100 ms. */
const after = (hints: readonly (Hint | null)[]): { moment: Moment; nowMs: number } => {
  let [moment, nowMs] = [firstMoment(0), 0];
  for (const hint of hints) moment = nextMoment(moment, hint, (nowMs += 100));
  return { moment, nowMs };
};
const readyAfter = (hints: readonly (Hint | null)[]): number => {
  const { moment, nowMs } = after(hints);
  return readiness(moment, nowMs);
};
const times = (count: number, hint: Hint | null) => Array<Hint | null>(count).fill(hint);

describe('the moment of the shutter', () => {
  it('comes after nine tenths of a second without a hint, and a single bad frame begins anew', () => {
    expect(readyAfter(times(5, null))).toBeCloseTo(4 / 9);
    expect(readyAfter(times(10, null))).toBe(1);
    expect(readyAfter([...times(9, null), 'moving'])).toBe(0);
    expect(readyAfter([...times(9, null), 'moving', ...times(5, null)])).toBeCloseTo(4 / 9);
  });

  it('a hint is shown at once on a quiet screen, and another one only when it lasts', () => {
    expect(after(['too_dark']).moment.shownHint).toBe('too_dark');
    expect(after(['too_dark', 'blurred', 'too_dark', 'blurred']).moment.shownHint).toBe('too_dark');
    expect(after(['too_dark', ...times(6, 'blurred')]).moment.shownHint).toBe('blurred');
    expect(after(['too_dark', ...times(6, null)]).moment.shownHint).toBeNull();
  });
});

describe('the tilt of the phone', () => {
  it('is none for an upright phone and for one that is held across', () => {
    // Upright, leaning back, turned a quarter to either side.
    for (const [beta, gamma] of [
      [90, 0],
      [60, 0],
      [0, 90],
      [0, -90],
      [120, 0],
    ] as const)
      expect(Math.abs(tiltOf(beta, gamma)!)).toBeLessThan(1e-9);
  });

  it('is the angle of the picture against the horizon', () => {
    // A phone that leans back by 45 degrees and is rolled: gravity in the plane of the screen decides.
    expect(tiltOf(45, 10)).toBeCloseTo((Math.atan2(Math.sin(Math.PI / 18) * Math.SQRT1_2, Math.SQRT1_2) * 180) / Math.PI);
    expect(tiltOf(45, -10)).toBeCloseTo(-tiltOf(45, 10)!);
  });

  it('is not known for a phone that lies flat or has no sensor', () => {
    expect([tiltOf(5, 5), tiltOf(null, 3), tiltOf(3, null)]).toEqual([null, null, null]);
  });
});
