import { explain } from './explanation';
import { generateContent } from '../document/generate';
import { API_URL, type Car, CONTENT_REVISION, even, snapshotOf } from '../fixtures/snapshot.fixture';
import { variedCars } from '../fixtures/varied-cars.fixture';

const explained = (car: Car) => new Map(explain(snapshotOf(car)).map(({ subject, ...rest }) => [subject, rest]));

describe('the explanation', () => {
  it('gives the verdicts of the document', () => {
    for (const car of variedCars(100)) {
      const { overall, tires, sections } = generateContent(snapshotOf(car), CONTENT_REVISION, API_URL).content;
      const verdicts = explained(car);
      const section = (id: string) => sections.find(({ section_id }) => section_id === id);
      const verdict = (subject: string) => verdicts.get(subject)?.verdict;
      expect(verdict('overall')).toBe(overall?.severity);
      for (const tire of tires) {
        expect(verdict(`tire ${tire.position}`)).toBe(tire.severity);
        expect(verdict(`wear ${tire.position}`)).toBe(tire.wear_pattern?.code);
      }
      expect(verdict('wear pattern')).toBe(section('wear_pattern')?.severity);
      expect(verdict('braking distance')).toBe(section('braking_distance')?.severity);
      expect(verdict('sidewall')).toBe(section('sidewall_spec')?.severity);
      const axles = [verdict('front axle'), verdict('rear axle')];
      expect(axles).toContain(section('position_variance')?.severity);
    }
  });

  it('names the inputs and the thresholds of a rule', () => {
    const verdicts = explained({ depths: [even(2.7), even(6), [6, 4.5, 4.5, 6], even(6)] });
    expect(verdicts.get('front axle')).toEqual({
      verdict: 'critical',
      rule: 'the sides differ by the critical difference or more',
      inputs: { deltaMm: 3.3 },
      thresholds: { cautionFromMm: 1, criticalFromMm: 2 },
    });
    expect(verdicts.get('wear rear_left')).toMatchObject({
      verdict: 'center_wear_overinflation_candidate',
      rule: 'the shoulders are alike and the center is lower than both',
      inputs: { outerMm: 6, innerMm: 6, centerMm: 4.5, rangeMm: 1.5, confidence: 0.9 },
      thresholds: { shoulderMm: 1, symmetryBelowMm: 1 },
    });
    expect(verdicts.get('braking band')).toMatchObject({ verdict: 'long', thresholds: { moderateFromPercent: 10, longFromPercent: 30 } });
  });

  it('names the reason for raising a good car to caution', () => {
    const verdicts = explained({ depths: [even(6), even(6), [6, 4.5, 4.5, 6], even(5)] });
    expect(verdicts.get('overall')).toMatchObject({
      verdict: 'caution',
      rule: 'lifted to caution by uneven wear, a difference on an axle, or the sizes',
      inputs: { tires: ['good', 'good', 'good', 'good'] },
    });
  });

  it('has no wear for a manual report and no sizes for one without sidewalls', () => {
    const subjects = [...explained({ mode: 'manual' }).keys()];
    expect(subjects.filter((subject) => subject.startsWith('wear') || subject === 'sidewall')).toEqual([]);
    expect(subjects).toContain('overall');
  });
});
