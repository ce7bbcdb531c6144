import { en } from '../web/i18n/en';
import { ko } from '../web/i18n/ko';
import { isLeftOut } from '../web/pages/reports/left-out';

/** Every text of the console. Functions get words in place of their values. */
function textsOf(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  if (typeof node === 'function') return textsOf((node as (...values: string[]) => unknown)('1', '2', '3'));
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsOf) : [];
}

describe('the words of the console', () => {
  it.each([
    ['Korean', ko],
    ['English', en],
  ])('in %s have one term for the wear limit, that of the page', (_, texts) => {
    const all = textsOf(texts);
    expect(all.length).toBeGreaterThan(500);
    expect(all.filter((text) => /법정|legal limit/i.test(text))).toEqual([]);
    expect(all.filter((text) => /마모 한계선|wear limit/i.test(text)).length).toBeGreaterThan(2);
  });

  it.each([
    ['Korean', ko, /가능성|보이/],
    ['English', en, /likely|seems/i],
  ])('in %s state no bald tread as certain', (_, { slots, creation }, careful) => {
    for (const text of [slots.wornSmooth, slots.bald, creation.images.wornSmooth, creation.images.bald]) expect(text).toMatch(careful);
  });
});

describe('the figures of a braking distance', () => {
  const section = (range: [number, number] | null | undefined) =>
    ({ section_id: 'braking_distance', metrics: { distance_gap_m: 3.2, current_tire_distance_range_m: range } }) as never;

  it.each<[string, [number, number] | null | undefined, boolean]>([
    ['are left out beside a range', [50, 67], true],
    ['stay where there is no range', null, false],
  ])('of one value %s', (_, range, isOut) => {
    expect(isLeftOut(section(range), 'distance_gap_m')).toBe(isOut);
    expect(isLeftOut(section(range), 'reference_speed_kmh')).toBe(false);
  });

  it('name a lower bound only where the distance is one', () => {
    const isOut = (atLeast: boolean) =>
      isLeftOut({ section_id: 'braking_distance', metrics: { distance_is_at_least: atLeast } } as never, 'distance_is_at_least');
    expect([isOut(false), isOut(true)]).toEqual([true, false]);
  });

  it('stay in documents that have no range', () => {
    expect(isLeftOut({ section_id: 'tread_wear', metrics: { minimum_remaining_depth_mm: 3 } } as never, 'distance_gap_m')).toBe(false);
  });
});
