import { Content } from '@tire/contracts/api';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { baldAt, type Car, NO_IMAGE, type Size, snapshotOf, WORN_SMOOTH } from '../fixtures/snapshot.fixture';
import type { Snapshot } from '../source/source';
import type { Language } from './copy-2.0-language';
import { ENGLISH } from './en-2.0';
import { type Fact, FACTS, type Truth, truthsOf } from './facts.fixture';
import { KOREAN } from './ko-2.0';
import { NEEDED_FACTS, type Need } from './needed-facts.fixture';
import { recordedContent, type Use } from './recorded.fixture';

/** CONTENT_PROPERTY_RUNS=100000 is the thorough run; the default keeps `npm test` short. */
const RUNS = Number(process.env['CONTENT_PROPERTY_RUNS'] ?? 400);
const PER_RUN_MS = 20;

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;

const four = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one, one, one);
const anyDepth = fc.oneof(fc.double({ min: 0, max: 9, noNaN: true }), fc.constantFrom(1.55, 1.6, 1.65, 2.95, 3, 3.05, 3.6, 7.5));
const depths: fc.Arbitrary<NonNullable<Car['depths']>[number]> = fc.oneof(
  { weight: 6, arbitrary: anyDepth.map((mm) => [mm, mm + 0.3, mm + 0.2, mm]) },
  { weight: 3, arbitrary: fc.array(anyDepth, { maxLength: 5 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom([6, 4.5, 4.5, 6], [4, 5.5, 5.5, 4], [3.5, 4.5, 5.5, 6], [6, 5.5, 4.5, 3.5], [6.4, 7.6, 7.6, 6.4]),
  },
  { weight: 2, arbitrary: fc.constantFrom(null, NO_IMAGE) },
);
const sizes: fc.Arbitrary<NonNullable<Car['sizes']>[number]> = fc.constantFrom<Size | null | typeof NO_IMAGE>(
  [225, 45, 17],
  [225, 45, 17],
  [225, 45, 17],
  [205, 55, 16],
  [245, 40, 18],
  [215, 65, 17],
  null,
  NO_IMAGE,
);
const bald = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      WORN_SMOOTH,
      baldAt('center'),
      baldAt('first_shoulder'),
      baldAt('last_shoulder'),
      baldAt('first_shoulder', 'last_shoulder'),
      baldAt('first_shoulder', 'center'),
      baldAt('whole'),
    ),
  },
);
const group = fc
  .tuple(fc.constantFrom('tread', 'sidewall'), fc.subarray([...POSITIONS], { minLength: 2 }))
  .map(([type, positions]) => positions.map((position) => `tire.${type}.${position}`));
const car = fc.record<Car>({
  depths: four(depths),
  sizes: fc.option(four(sizes), { nil: undefined }),
  mode: fc.constantFrom('automatic', 'automatic', 'automatic', 'manual'),
  spreadMm: fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: undefined }),
  bald: four(bald),
  shared: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(group, { minLength: 1, maxLength: 1 }) }),
  similar: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(group, { minLength: 1, maxLength: 1 }) }),
  ageMonths: four(fc.constantFrom(null, null, 30, 71, 72, 119, 120, 200)),
  confidence: fc.constantFrom(null, 0.3, 0.9, 0.9),
  rulesetVersion: fc.constant('2.0' as const),
});
const anySide = four(fc.constantFrom('left', 'right', 'unknown', null));

/** A car as it is drawn, measured by hand only with what a hand can measure. */
function drawn(one: Car, sides: readonly ('left' | 'right' | 'unknown' | null)[]): Snapshot {
  const isManual = one.mode === 'manual';
  const hasPhotograph = (id: string): boolean => {
    const index = POSITIONS.findIndex((position) => id.endsWith(position));
    return (id.includes('tread') ? one.depths : one.sizes)?.[index] !== NO_IMAGE;
  };
  const withPhotograph = (groups: readonly (readonly string[])[] = []) =>
    groups.map((ids) => ids.filter(hasPhotograph)).filter((ids) => ids.length > 1);
  return snapshotOf({
    ...one,
    shared: withPhotograph(one.shared),
    similar: withPhotograph(one.similar),
    ...(isManual ? { spreadMm: undefined, bald: undefined, ageMonths: undefined } : {}),
    change(slot) {
      const { result } = slot.analysis;
      if (!result || !('vehicle_side' in result) || isManual) return slot;
      const vehicle_side = sides[POSITIONS.indexOf(slot.slot.position)] ?? null;
      return { ...slot, analysis: { ...slot.analysis, result: { ...result, vehicle_side } } };
    },
  });
}

const NAMES: Readonly<Record<string, readonly RegExp[]>> = {
  'ko-KR': [/앞 왼쪽/, /앞 오른쪽/, /뒤 왼쪽/, /뒤 오른쪽/],
  'en-US': [/front left/i, /front right/i, /rear left/i, /rear right/i],
};
const ALL = /네 타이어|all four tires/i;

function named({ text, tire }: Use, truths: readonly Truth[], { locale }: Language): readonly Truth[] {
  if (tire) return truths.filter(({ position }) => position === tire);
  return ALL.test(text) ? truths : truths.filter((_truth, index) => NAMES[locale]![index]!.test(text));
}

function lacks(use: Use, need: Need, truths: readonly Truth[], language: Language): string[] {
  const has = (facts: readonly Fact[]) => (tire: Truth) => facts.every((fact) => FACTS[fact](tire));
  const axle = (name: string) => truths.filter(({ position }) => position.startsWith(name));
  const checks: Record<keyof Need, (facts: readonly Fact[]) => boolean> = {
    named: (facts) => named(use, truths, language).length > 0 && named(use, truths, language).every(has(facts)),
    all: (facts) => truths.every(has(facts)),
    some: (facts) => truths.some(has(facts)),
    notAll: (facts) => !truths.every(has(facts)),
    front: (facts) => axle('front').every(has(facts)),
    rear: (facts) => axle('rear').every(has(facts)),
    someFront: (facts) => axle('front').some(has(facts)),
    someRear: (facts) => axle('rear').some(has(facts)),
  };
  return Object.entries(need).flatMap(([tires, facts]) =>
    checks[tires as keyof Need](facts) ? [] : [`${use.sentence} (${use.text}) needs ${facts.join()} of ${tires}`],
  );
}

const SIDES = /바깥쪽|안쪽|outer|inner/;
const ABOUT = /약 [\d.]+mm|about [\d.]+ mm/;

function goodOnlyOfGoodFacts(content: Content, truths: readonly Truth[]): void {
  for (const [index, tire] of content.tires.entries()) {
    const truth = truths[index]!;
    const isGood = FACTS.aboveThreshold(truth) && FACTS.surelyAboveLimit(truth) && FACTS.pattern(truth) && FACTS.ownPhotograph(truth);
    assert.equal(tire.severity === 'good', isGood);
    if (tire.severity === 'good') assert.ok(tire.certainty === null || tire.certainty === 'sure');
    if (FACTS.someBald(truth)) assert.equal(tire.severity, 'critical');
    if (FACTS.someBald(truth)) assert.notEqual(tire.wear_pattern?.code, 'even_wear');
    if (tire.certainty === 'sure' && tire.severity === 'critical') assert.ok(FACTS.surelyBelowLimit(truth));
  }
  const severities = content.tires.map(({ severity }) => severity);
  if (content.overall!.severity === 'good') assert.ok(severities.every((severity) => severity === 'good'));
}

/** A sign is green where the badge has no doubt. */
function noGreenDoubt(content: Content): void {
  for (const { severity, badge_label } of content.sections)
    if (severity === 'good' && badge_label !== null)
      assert.doesNotMatch(badge_label, /확인|다름|어려움|차이|unknown|partly|differ|uncertain/i);
}

const withoutTexts = (content: Content): unknown =>
  JSON.parse(
    JSON.stringify(content, (key, value: unknown) =>
      ['headline', 'paragraphs', 'title', 'narrative', 'description', 'label', 'locale'].includes(key) || key.endsWith('_label')
        ? ''
        : value,
    ),
  );

describe('the sentences of copy 2.0', () => {
  it('all stand in the table of needed facts, and the table has no other', () => {
    for (const { sentences } of [KOREAN, ENGLISH]) expect(Object.keys(NEEDED_FACTS).sort()).toEqual(Object.keys(sentences).sort());
  });

  it(
    `appear only with their facts, in both languages (${RUNS} analyses)`,
    () => {
      fc.assert(
        fc.property(car, anySide, (one, sides) => {
          const truths = truthsOf(drawn(one, sides));
          const documents = [KOREAN, ENGLISH].map((language) => {
            const snapshot = drawn({ ...one, locale: language.locale as Car['locale'] }, sides);
            const { content, uses } = recordedContent(snapshot, language);
            for (const use of uses) {
              const need = NEEDED_FACTS[use.sentence] as Need | undefined;
              assert.ok(need, `${use.sentence} does not stand in the table`);
              assert.deepEqual(lacks(use, need, truths, language), []);
              if (SIDES.test(use.text)) assert.ok(named(use, truths, language).every(FACTS.sideKnown), use.text);
              if (ABOUT.test(use.text)) assert.ok(truths.some(FACTS.interval), use.text);
            }
            Content.parse(content);
            goodOnlyOfGoodFacts(content, truths);
            noGreenDoubt(content);
            for (const { paragraphs } of [content.overall!, ...content.sections]) {
              assert.ok(paragraphs.length > 0);
              assert.equal(new Set(paragraphs).size, paragraphs.length);
            }
            return content;
          });
          assert.deepEqual(withoutTexts(documents[0]!), withoutTexts(documents[1]!));
        }),
        { numRuns: RUNS },
      );
    },
    30_000 + RUNS * PER_RUN_MS,
  );
});
