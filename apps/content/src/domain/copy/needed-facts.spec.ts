import { Content } from '@tire/contracts/api';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { anyCar, anySide, drawn } from '../fixtures/any-car.fixture';
import type { Car } from '../fixtures/snapshot.fixture';
import type { Language } from './copy-2.0-language';
import { ENGLISH } from './en-2.0';
import { AXLE_FACTS, type AxleFact, type Fact, FACTS, type Truth, truthsOf } from './facts.fixture';
import { KOREAN } from './ko-2.0';
import { NEEDED_FACTS, type Need } from './needed-facts.fixture';
import { recordedContent, type Use } from './recorded.fixture';

/** CONTENT_PROPERTY_RUNS=100000 is the thorough run; the default keeps `npm test` short. */
const RUNS = Number(process.env['CONTENT_PROPERTY_RUNS'] ?? 400);
const PER_RUN_MS = 20;

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
  const pairHas = (name: string) => (facts: readonly AxleFact[]) => {
    const [left, right] = axle(name);
    return facts.every((fact) => AXLE_FACTS[fact]([left!, right!]));
  };
  const checks: { readonly [Tires in keyof Need]-?: (facts: NonNullable<Need[Tires]>) => boolean } = {
    named: (facts) => named(use, truths, language).length > 0 && named(use, truths, language).every(has(facts)),
    someNamed: (facts) => named(use, truths, language).some(has(facts)),
    all: (facts) => truths.every(has(facts)),
    some: (facts) => truths.some(has(facts)),
    notAll: (facts) => !truths.every(has(facts)),
    front: (facts) => axle('front').every(has(facts)),
    rear: (facts) => axle('rear').every(has(facts)),
    someFront: (facts) => axle('front').some(has(facts)),
    someRear: (facts) => axle('rear').some(has(facts)),
    frontPair: pairHas('front'),
    rearPair: pairHas('rear'),
    somePair: (facts) => pairHas('front')(facts) || pairHas('rear')(facts),
  };
  return Object.entries(need).flatMap(([tires, facts]) =>
    checks[tires as keyof Need](facts as never) ? [] : [`${use.sentence} (${use.text}) needs ${facts.join()} of ${tires}`],
  );
}

const SIDES = /바깥쪽|안쪽|outer|inner/;
/** Callers show the texts as they like: line breaks are the page's. */
const INVISIBLE = /[\u00a0\u00ad\u200b-\u200f\u2060\ufeff]/;
/** Words of measuring, by an image or by a person. A sentence that requests a measurement claims none. */
const MEASURED = /측정되|측정값|측정 오차|읽|판독|measured|was read|were read|measurement|measuring/;
const ENTERED = /입력된|입력되|entered/;
const ABOUT = /약 [\d.]+mm|about [\d.]+\smm/;

function goodOnlyOfGoodFacts(content: Content, truths: readonly Truth[]): void {
  for (const [index, tire] of content.tires.entries()) {
    const truth = truths[index]!;
    const isGood =
      FACTS.aboveThreshold(truth) &&
      FACTS.surelyAboveLimit(truth) &&
      FACTS.pattern(truth) &&
      FACTS.wholeSeen(truth) &&
      FACTS.ownImage(truth) &&
      FACTS.youngerThan10(truth);
    assert.equal(tire.severity === 'good', isGood);
    if (tire.severity === 'good') assert.ok(tire.certainty === null || tire.certainty === 'sure');
    if (FACTS.partUnseen(truth) && tire.severity !== 'critical') assert.notEqual(tire.certainty, 'sure');
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
        fc.property(anyCar, anySide, (one, sides) => {
          const truths = truthsOf(drawn(one, sides));
          const documents = [KOREAN, ENGLISH].map((language) => {
            const snapshot = drawn({ ...one, locale: language.locale as Car['locale'] }, sides);
            const { content, uses } = recordedContent(snapshot, language);
            for (const use of uses) {
              const need = NEEDED_FACTS[use.sentence] as Need | undefined;
              assert.ok(need, `${use.sentence} does not stand in the table`);
              assert.deepEqual(lacks(use, need, truths, language), []);
              if (SIDES.test(use.text)) assert.ok(named(use, truths, language).every(FACTS.sideKnown), use.text);
              assert.doesNotMatch(use.text, one.mode === 'manual' ? MEASURED : ENTERED);
              if (use.sentence.endsWith('Confirmed')) assert.doesNotMatch(use.text, MEASURED);
              if (ABOUT.test(use.text)) assert.ok(truths.some(FACTS.interval), use.text);
            }
            Content.parse(content);
            assert.doesNotMatch(JSON.stringify(content), INVISIBLE);
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
    120_000 + RUNS * PER_RUN_MS,
  );
});
