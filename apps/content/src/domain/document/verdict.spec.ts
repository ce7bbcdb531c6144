import { doubtfulCars } from '../fixtures/doubtful-cars.fixture';
import { API_URL, CONTENT_REVISION, even, snapshotOf } from '../fixtures/snapshot.fixture';
import { variedCars } from '../fixtures/varied-cars.fixture';
import { readSource } from '../source/source';
import { findings } from '../verdicts/findings';
import { generationOf } from '../versions/registry';
import { generateContent } from './generate';
import { verdictOf } from './verdict';

const contentOf = (snapshot: ReturnType<typeof snapshotOf>) => generateContent(snapshot, CONTENT_REVISION, API_URL).content;

describe('the verdict in one word', () => {
  it.each([
    ['critical', 1.5],
    ['caution', 2.7],
    ['good', 6],
  ] as const)('is %s for a tire with %s mm', (verdict, depthMm) => {
    expect(verdictOf(contentOf(snapshotOf({ depths: [even(depthMm), even(6), even(6), even(6)] })))).toBe(verdict);
  });

  it('is null without content', () => {
    expect(verdictOf({ overall: null, tires: [], sections: [] })).toBeNull();
  });

  it('is near_limit exactly where the rules found that a tire of a car to check may be at the legal limit', () => {
    const seen = new Set<string | null>();
    for (const car of [...doubtfulCars(120, 'ko-KR'), ...variedCars(40)]) {
      const snapshot = snapshotOf(car);
      const { ruleset } = generationOf(snapshot.generator, snapshot.content_profile.locale);
      const found = findings(readSource(snapshot, ruleset), snapshot.creation.mode, ruleset);
      const mayBe = found.tires.some(
        ({ severity, intervalMm }) => severity === 'caution' && intervalMm && intervalMm[0] <= ruleset.depth.legalLimitMm,
      );
      const named = found.tires.some(({ severity, state }) => severity === 'caution' && (state === 'near_limit' || state === 'uncertain'));
      const verdict = verdictOf(contentOf(snapshot));
      seen.add(verdict);
      if (found.severity !== 'caution') expect(verdict).toBe(found.severity);
      else {
        expect(verdict).toBe(mayBe ? 'near_limit' : 'caution');
        if (named) expect(verdict).toBe('near_limit');
      }
    }
    expect([...seen].sort()).toEqual(['caution', 'critical', 'near_limit', 'unknown']);
  });
});
