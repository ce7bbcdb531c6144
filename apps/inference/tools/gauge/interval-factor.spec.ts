import { crossValidated, under } from './calibration';
import { errorTable, type Compared, type Pair } from './errors';
import { intervalFactorOf } from './interval-factor';

const pair = (errorMm: number, below = 1, above = 2): Pair => ({ gaugeMm: 4 + errorMm, measuredMm: 4, intervalMm: [4 - below, 4 + above] });
const errors = (...all: number[]) => all.map((errorMm) => pair(errorMm));

describe('the factor of the intervals', () => {
  it.each<[string, Pair[], number]>([
    ['without intervals', [{ gaugeMm: 4, measuredMm: 2, intervalMm: null }], 1],
    ['what 9 of 10 need, each on its side', errors(...Array.from({ length: 18 }, (_, i) => 0.02 * i - 0.1), 2.8, 5), 1.4],
    ['with wide errors', errors(...Array.from({ length: 30 }, () => -1.5)), 1.5],
    ['never much narrower', errors(...Array.from({ length: 30 }, () => 0.01)), 0.5],
    ['never without a bound', errors(...Array.from({ length: 30 }, () => -3.9)), 3],
    ['of intervals without width', Array.from({ length: 9 }, () => pair(-0.04, 0, 0)), 2],
  ])('%s', (_, pairs, factor) => {
    expect(intervalFactorOf(pairs)).toBeCloseTo(factor, 9);
  });

  it('makes the intervals hold for nine of ten grooves under the line of a gauge', () => {
    const line = (gaugeMm: number) => (gaugeMm - 0.3) / 1.2;
    const compared = Array.from({ length: 20 }, (_, i): Compared => {
      const gaugeMm = [2 + 0.2 * i, 3 + 0.1 * i];
      const measuredMm = gaugeMm.map((mm, k) => line(mm) + 0.3 * Math.sin(7 * i + 3 * k));
      return { file: `${i}`, gaugeMm, measuredMm, intervalsMm: measuredMm.map((mm) => [mm - 0.05, mm + 0.05]) };
    });
    const { calibration, intervalFactor } = crossValidated(compared);
    expect(errorTable(compared.map((one) => under(one, calibration))).covered).toBeLessThan(0.5);
    expect(intervalFactor).toBe(3);
    const wide = compared.map((one) => ({ ...one, intervalsMm: one.measuredMm!.map((mm): [number, number] => [mm - 0.2, mm + 0.2]) }));
    const { intervalFactor: factor } = crossValidated(wide);
    const widened = wide.map((one) => {
      const { measuredMm, ...rest } = under(one, calibration);
      return { ...rest, measuredMm, intervalsMm: measuredMm!.map((mm): [number, number] => [mm - 0.24 * factor, mm + 0.24 * factor]) };
    });
    expect(errorTable(widened).covered).toBeGreaterThanOrEqual(0.9);
  });
});
