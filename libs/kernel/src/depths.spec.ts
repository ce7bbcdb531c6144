import { formatDepth, roundDepth } from './depths';

describe('depths', () => {
  it.each([
    [1.45, 1, 1.5, '1.5'],
    [1.55, 1, 1.6, '1.6'],
    [1.65, 1, 1.7, '1.7'],
    [2.25, 1, 2.3, '2.3'],
    [2.675, 2, 2.68, '2.68'],
    [1.005, 2, 1.01, '1.01'],
    [8.345, 2, 8.35, '8.35'],
    [1.449, 1, 1.4, '1.4'],
    [1.4499999999999997, 1, 1.4, '1.4'],
    [6.449999999999999, 1, 6.4, '6.4'],
    [7.9999999999999996, 1, 8, '8.0'],
    [0.95, 1, 1, '1.0'],
    [9.95, 1, 10, '10.0'],
    [99.95, 1, 100, '100.0'],
    [7, 1, 7, '7.0'],
    [2.7, 1, 2.7, '2.7'],
    [0.1 + 0.2, 1, 0.3, '0.3'],
    [0.05, 1, 0.1, '0.1'],
    [0.049, 1, 0, '0.0'],
    [0.5, 0, 1, '1'],
    [1.5, 0, 2, '2'],
    [0, 1, 0, '0.0'],
    [-1.45, 1, -1.5, '-1.5'],
    [-0.04, 1, 0, '0.0'],
    [5e-7, 1, 0, '0.0'],
    [5e-7, 6, 0.000001, '0.000001'],
    [5e-324, 1, 0, '0.0'],
    [123456789.25, 1, 123456789.3, '123456789.3'],
  ])('%p at %i digits is %p, shown as %s', (depthMm, digits, rounded, shown) => {
    expect(roundDepth(depthMm, digits)).toBe(rounded);
    expect(formatDepth(depthMm, digits)).toBe(shown);
  });

  it('rounds every hundredth up to 20 mm like whole numbers', () => {
    for (let hundredths = 0; hundredths <= 2_000; hundredths += 1) {
      const tenths = Math.floor((hundredths + 5) / 10);
      expect(formatDepth(Number(`${hundredths}e-2`))).toBe(`${Math.floor(tenths / 10)}.${tenths % 10}`);
    }
  });

  it('shows what it rounds to, and rounds it once', () => {
    for (const depthMm of [1.45, 2.675, 3.14159, 0.05, 12.349]) {
      expect(Number(formatDepth(depthMm))).toBe(roundDepth(depthMm));
      expect(roundDepth(roundDepth(depthMm))).toBe(roundDepth(depthMm));
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300])('leaves %p as it is', (value) => {
    expect(roundDepth(value)).toBe(value);
  });
});
