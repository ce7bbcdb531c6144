import type { TireSize } from '@tire/contracts/events';
import { brandOf, manufacturedOf, serviceOf } from './markings';

const surely = (text: string, certainty = 1) => ({ text, certainty: [...text].map(() => certainty) });
const size = (rimDiameterInch: number): TireSize => ({ sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch });
const TODAY = new Date('2026-11-21T00:00:00Z');

describe('load index and speed symbol', () => {
  it.each<[string, number | undefined, string | undefined]>([
    ['225/45R17 91W', 91, 'W'],
    ['225/45 ZR 17 94 Y XL', 94, 'Y'],
    ['225/45ZR17 (94Y)', 94, 'Y'],
    ['225/45R1791V', 91, 'V'],
    ['225/45RF17 91W', 91, 'W'],
    ['225/45R17C 109/107T', 109, 'T'],
    ['225/45R17 91', 91, undefined],
    // No such speed symbol, no car's load index, and no load index at all.
    ['225/45R17 91O', 91, undefined],
    ['225/45R17 31W', undefined, undefined],
    ['225/45R17 914W', undefined, undefined],
    ['225/45R17', undefined, undefined],
    ['225/45R17 XL', undefined, undefined],
    // Behind the size of another tire.
    ['225/45R18 91W', undefined, undefined],
    ['91W', undefined, undefined],
  ])('in "%s"', (text, loadIndex, speedSymbol) => {
    const { loadIndex: foundIndex, speedSymbol: foundSymbol } = serviceOf(surely(text), size(17)) ?? {};
    expect([foundIndex, foundSymbol]).toEqual([loadIndex, speedSymbol]);
  });

  it('are absent at a low certainty; the index stays where only the symbol is uncertain', () => {
    expect(serviceOf(surely('225/45R17 91W', 0.8), size(17))).toBeUndefined();
    const text = '225/45R17 91W';
    expect(serviceOf({ text, certainty: [...text].map((letter) => (letter === 'W' ? 0.5 : 1)) }, size(17))).toEqual({ loadIndex: 91 });
  });
});

describe('the date of manufacture', () => {
  it.each<[string, { week: number; year: number; ageMonths: number } | undefined]>([
    ['DOT 1NTR 4DHR 2319', { week: 23, year: 2019, ageMonths: 89 }],
    ['DOT1NTR4DHR2319', { week: 23, year: 2019, ageMonths: 89 }],
    ['D0T 7JP XA2 0122', { week: 1, year: 2022, ageMonths: 58 }],
    ['DOT H2UL Y4M 4626 ', { week: 46, year: 2026, ageMonths: 0 }],
    // A date in the future, no such week, no such year, a side without a date, and four digits that are no date.
    ['DOT 1NTR 4DHR 4926', undefined],
    ['DOT 1NTR 4DHR 5419', undefined],
    ['DOT 1NTR 4DHR 0019', undefined],
    ['DOT 1NTR 4DHR 2398', undefined],
    ['DOT 1NTR 4DHR', undefined],
    ['DOT 2319', undefined],
    ['2319', undefined],
    ['DOT 1NTR 4DHR 2319 E4', undefined],
    ['', undefined],
  ])('in "%s"', (text, manufactured) => {
    expect(manufacturedOf(surely(text), TODAY)).toEqual(manufactured);
  });

  it('is absent at a low certainty', () => {
    expect(manufacturedOf(surely('DOT 1NTR 4DHR 2319', 0.9), TODAY)).toBeUndefined();
  });
});

describe('the brand', () => {
  it.each<[string, string | undefined]>([
    ['HANKOOK', 'Hankook'],
    ['Hankook', 'Hankook'],
    ['KUMHO ECSTA', 'Kumho'],
    ['NEXEN TIRE', 'Nexen'],
    ['TOYO TIRES', 'Toyo'],
    ['HANKOK', undefined],
    ['XHANKOOK', undefined],
    ['TOYOTA', undefined],
    ['RADIAL TUBELESS', undefined],
    ['', undefined],
  ])('in "%s"', (text, brand) => {
    expect(brandOf(surely(text))).toBe(brand);
  });

  it('is absent at a low certainty', () => {
    expect(brandOf(surely('HANKOOK', 0.97))).toBeUndefined();
  });
});
