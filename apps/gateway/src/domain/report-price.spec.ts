import { costOf, mayBegin, type Price } from './report-price';

const price = (validFrom: string, amountMinor: number, currency = 'KRW'): Price => ({ validFrom, amountMinor, currency });
const day = (name: string, reports: number) => ({ day: name, reports });
const DAYS = [day('2026-10-31', 2), day('2026-11-01', 3), day('2026-11-02', 0), day('2026-11-03', 1)];

describe('what reports cost', () => {
  it.each<[string, Price[], number[], [number, string][]]>([
    ['a price of before the period', [price('2026-01-01', 100)], [200, 300, 0, 100], [[600, 'KRW']]],
    ['a price that begins within it', [price('2026-11-01', 100)], [300, 0, 100], [[400, 'KRW']]],
    [
      'a later price, which changes no earlier day',
      [price('2026-11-03', 500), price('2026-01-01', 100)],
      [200, 300, 0, 500],
      [[1000, 'KRW']],
    ],
    ['a price of zero', [price('2026-01-01', 100), price('2026-11-01', 0)], [200, 0, 0, 0], [[200, 'KRW']]],
    [
      'another currency',
      [price('2026-01-01', 100), price('2026-11-03', 250, 'USD')],
      [200, 300, 0, 250],
      [
        [500, 'KRW'],
        [250, 'USD'],
      ],
    ],
  ])('with %s', (_, prices, amounts, sums) => {
    const cost = costOf(prices, DAYS)!;
    expect(cost.days.map(({ amountMinor }) => amountMinor)).toEqual(amounts);
    expect(cost.sums.map(({ amountMinor, currency }) => [amountMinor, currency])).toEqual(sums);
  });

  it.each([[[]], [[price('2026-11-04', 100)]]])('is nothing to show without a price in the period', (prices) =>
    expect(costOf(prices, DAYS)).toBeNull(),
  );

  it.each([
    ['2026-11-27', '2026-11-01', '2027-11-27'],
    ['2026-11-01', '2026-11-01', '2027-11-01'],
    ['2028-02-29', '2028-02-01', '2029-03-01'],
  ])('on %s a price may begin from %s to %s', (today, firstDay, lastDay) => expect(mayBegin(today)).toEqual({ firstDay, lastDay }));
});
