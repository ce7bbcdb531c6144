import { moneyText, sumsOf } from '../web/pages/usage/money';
import { latestZone } from '../web/pages/usage/period';
import { daysOf, hasNumbers, totalOf, type Counts } from '../web/pages/usage/sum';

const NOTHING: Counts = { reports: 0, images: 0, failures: {}, callbacks: 0, callbacks_delivered: 0 };
const ONE: Counts = { reports: 1, images: 4, failures: { tread_not_found: 2 }, callbacks: 1, callbacks_delivered: 1 };
const OTHER: Counts = { reports: 2, images: 8, failures: { tread_not_found: 1, image_too_small: 3 }, callbacks: 5, callbacks_delivered: 0 };
const BOTH: Counts = { reports: 3, images: 12, failures: { tread_not_found: 3, image_too_small: 3 }, callbacks: 6, callbacks_delivered: 1 };

describe('the usage of several projects', () => {
  it('adds up, with failures by code', () => expect(totalOf([ONE, NOTHING, OTHER])).toEqual(BOTH));

  it('is empty without usage', () => expect([totalOf([]), daysOf([])]).toEqual([NOTHING, []]));

  it('is summed by day', () => {
    const usage = (...counts: Counts[]) => ({ days: counts.map((of, index) => ({ day: `2026-11-0${index + 1}`, ...of })) });
    expect(daysOf([usage(ONE, NOTHING), usage(OTHER, NOTHING)])).toEqual([
      { day: '2026-11-01', ...BOTH },
      { day: '2026-11-02', ...NOTHING },
    ]);
  });

  it.each([
    ['nothing', NOTHING, false],
    ['images of an older report', { ...NOTHING, images: 1 }, true],
    ['failures alone', { ...NOTHING, failures: { tread_not_found: 1 } }, true],
    ['callbacks alone', { ...NOTHING, callbacks: 1 }, true],
  ])('is checked for numbers in a period with %s', (_, counts, expected) => expect(hasNumbers(counts)).toBe(expected));
});

it('the last day is that of the zone in which it is latest', () => {
  const lateInSeoul = Date.parse('2026-11-27T15:50:00Z');
  expect(latestZone(['UTC', 'Asia/Seoul', 'America/New_York'], lateInSeoul)).toBe('Asia/Seoul');
  expect(latestZone(['Asia/Seoul', 'America/New_York'], Date.parse('2026-11-27T10:00:00Z'))).toBe('UTC');
  expect(latestZone([], lateInSeoul)).toBe('UTC');
});

describe('what the usage of several projects costs', () => {
  const cost = (...sums: [number, string][]) => ({
    cost: { days: [], sums: sums.map(([amount_minor, currency]) => ({ amount_minor, currency })) },
  });

  it('is summed by currency', () =>
    expect(sumsOf([cost([100, 'KRW'], [5, 'USD']), { cost: null }, cost([20, 'KRW'])])).toEqual([
      { currency: 'KRW', amount_minor: 120 },
      { currency: 'USD', amount_minor: 5 },
    ]));

  it.each([
    [1500, 'KRW', 'ko', '₩1,500'],
    [1250, 'USD', 'en', '$12.50'],
    [5, 'USD', 'ko', 'US$0.05'],
  ])('%i minor units of %s are shown in %s as %s', (amount_minor, currency, language, text) =>
    expect(moneyText({ amount_minor, currency }, language)).toBe(text),
  );
});
