import { probabilityOf } from './confidence';

it('equals the score with the default line', () => {
  for (const score of [0.2, 0.5, 0.9]) expect(probabilityOf(score, { slope: 1, intercept: 0 })).toBeCloseTo(score, 6);
  expect(probabilityOf(1, { slope: 1, intercept: 0 })).toBeLessThan(1);
});
