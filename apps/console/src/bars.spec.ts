import { bars, niceMax } from '../web/ui/bars';
import { visibleText } from '../web/ui/visible-text';
import { isPeriod, lastDays } from '../web/pages/usage/period';

describe('the axis of a chart', () => {
  it.each([
    [[], 2],
    [[0], 2],
    [[3, 1], 4],
    [[5], 10],
    [[10], 10],
    [[11], 20],
    [[41], 100],
    [[1_000], 1_000],
    [[4_001], 10_000],
  ])('of %j ends at %d, and half of it is an integer', (values, max) => {
    expect(niceMax(values)).toBe(max);
  });
});

describe('the bars of a chart', () => {
  const area = { width: 200, height: 100 };

  it('are stacked in proportion to their values; zero has no bar', () => {
    const series = [
      { name: 'a', values: [5, 0] },
      { name: 'b', values: [5, 10] },
    ];
    const display = bars(series, 10, 2, area);
    expect(display.map(({ name, day, y, height }) => [name, day, y, height])).toEqual([
      ['a', 0, 50, 50],
      ['b', 0, 0, 50],
      ['b', 1, 0, 100],
    ]);
    for (const { x, width, day } of display) expect([x >= 100 * day, x + width <= 100 * (day + 1)]).toEqual([true, true]);
  });

  it('show a value of one in a million', () => {
    expect(bars([{ name: 'a', values: [1] }], 1_000_000, 1, area)[0]!.height).toBe(2);
  });
});

describe('untrusted text', () => {
  it.each([
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['두 줄\n\t한 칸', '두 줄\n\t한 칸'],
    ['a\u202eb', 'a⟨202E⟩b'],
    ['\u001b[2J\r\u0000', '⟨1B⟩[2J⟨D⟩⟨0⟩'],
    ['zero\u200bwidth\u2028', 'zero⟨200B⟩width⟨2028⟩'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

describe('a period', () => {
  it('of the last days ends today, in UTC', () => {
    expect(lastDays(7, Date.UTC(2026, 2, 1, 23, 59))).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  });

  it.each([
    ['2026-01-01', '2026-01-01', true],
    ['2026-01-01', '2026-04-02', true],
    ['2026-01-01', '2026-04-03', false],
    ['2026-01-02', '2026-01-01', false],
    ['', '2026-01-01', false],
    ['2026-01-01', 'x', false],
  ])('from %p to %p is valid: %p', (from, to, fits) => {
    expect(isPeriod({ from, to })).toBe(fits);
  });
});
