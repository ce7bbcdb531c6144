import type { Content } from '@tire/contracts/api';
import { generateContent } from '../document/generate';
import { API_URL, baldAt, type Car, CONTENT_REVISION, even, type Size, snapshotOf, WORN_SMOOTH } from '../fixtures/snapshot.fixture';

const SIZE: Size = [225, 45, 17];
const LOCALES = ['ko-KR', 'en-US'] as const;
const TREADS = ['tire.tread.front_left', 'tire.tread.front_right'] as const;

const contentOf = (car: Car): Content =>
  generateContent(snapshotOf({ sizes: [SIZE, SIZE, SIZE, SIZE], spreadMm: 0.2, rulesetVersion: '2.0', ...car }), CONTENT_REVISION, API_URL)
    .content;

/** The texts that a reader sees, without those of the sections that show other things. */
function textsOf({ overall, tires, sections }: Content): string {
  const ofTires = tires.flatMap(({ narrative, wear_pattern: wear }) => [narrative, wear?.description]);
  return [overall!.headline, ...overall!.paragraphs, ...ofTires, ...sections.flatMap(({ paragraphs }) => paragraphs)].join('\n');
}

describe.each(LOCALES)('the texts in %s', (locale) => {
  it.each([
    ['surely worn', [even(1), even(6), even(6), even(6)]],
    ['likely worn', [even(1.5), even(6), even(6), even(6)]],
  ] as const)('give no advice about the age of a tire that is critical: %s', (_what, depths) => {
    for (const months of [80, 130]) {
      const texts = textsOf(contentOf({ locale, depths, ageMonths: [months, null, null, null] }));
      expect(texts).not.toMatch(/해마다|교체를 상담|every year|about a replacement/);
    }
  });

  it('give that advice about the other tires', () => {
    const { overall, sections } = contentOf({ locale, depths: [even(1), even(6), even(6), even(6)], ageMonths: [80, 80, 130, null] });
    const sizes = sections.find(({ section_id }) => section_id === 'sidewall_spec')!;
    for (const { paragraphs } of [overall!, sizes]) {
      const advice = paragraphs.filter((text) => /해마다|교체를 상담|every year|about a replacement/.test(text));
      expect(advice).toHaveLength(2);
      expect(advice.join()).not.toMatch(/앞 왼쪽|front left/);
    }
  });

  const IN_PLACES = /닳은 곳|없어진 곳|in places/;

  it.each([
    ['the whole tread', { bald: [baldAt('whole'), null, null, null] }],
    ['the whole tread and worn grooves', { bald: [baldAt('whole'), null, null, null], depths: [even(0.9), even(6), even(6), even(6)] }],
    ['a tread without a groove', { bald: [WORN_SMOOTH, null, null, null] }],
    ['the whole tread in a shared photograph', { bald: [baldAt('whole'), baldAt('whole'), null, null], shared: [TREADS] }],
    ['a shared photograph without a groove', { bald: [WORN_SMOOTH, WORN_SMOOTH, null, null], shared: [TREADS] }],
  ] as const satisfies readonly (readonly [string, Car])[])('say "in places" of places only: %s', (_what, car) => {
    expect(textsOf(contentOf({ locale, ...car }))).not.toMatch(IN_PLACES);
  });

  it.each([
    ['own', { bald: [baldAt('center'), null, null, null] }],
    ['shared', { bald: [baldAt('center'), baldAt('center'), null, null], shared: [TREADS] }],
  ] as const satisfies readonly (readonly [string, Car])[])('say "in places" of places: %s', (_what, car) => {
    expect(contentOf({ locale, ...car }).sections[0]!.paragraphs.join()).toMatch(IN_PLACES);
  });

  it.each([even(5), even(0.9)])('mention no remaining groove where the whole width has lost its pattern', (...depths) => {
    const texts = textsOf(contentOf({ locale, bald: [baldAt('whole'), null, null, null], depths: [depths, even(6), even(6), even(6)] }));
    expect(texts).not.toMatch(/남은 홈|remaining groove/);
  });

  it('give no range that begins with nothing', () => {
    const { sections } = contentOf({ locale, depths: [even(5), even(5), even(5), even(5)], spreadMm: 3.5 });
    const { paragraphs } = sections.find(({ section_id }) => section_id === 'braking_distance')!;
    expect(paragraphs.join()).toMatch(/최대 약|up to about/);
    expect(paragraphs.join()).not.toMatch(/[^\d]0\.0/);
  });
});
