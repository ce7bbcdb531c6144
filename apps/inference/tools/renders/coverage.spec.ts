import { coverageLines, coverageOf } from './coverage';
import type { Comparison } from './figures';

const render = (trueMm: number, low: number, high: number, part: Partial<Comparison['drawn']> = {}): Comparison => ({
  drawn: { ...{ tread: 'yes', rotationDeg: 0, vehicleSide: 'unknown', family: 0 }, grooves: [{ number: 1, depthMm: trueMm }], ...part },
  measured: { rotationDeg: 0, vehicleSide: 'unknown', grooves: [{ number: 1, depthMm: (low + high) / 2, intervalMm: [low, high] }] },
  ...{ bothPx: 1, eitherPx: 1 },
});

describe('the coverage of intervals', () => {
  it('is counted for all grooves, by millimetre and by pattern', () => {
    const all = [render(1.2, 1, 2), render(1.9, 1, 1.5), render(4, 4, 5, { family: 2 }), render(4.5, 4.6, 5, { family: 2 })];
    expect(coverageOf(all)).toEqual({
      all: { grooves: 4, covered: 0.5 },
      widthMm: expect.closeTo(0.725, 9) as number,
      byMm: [
        { fromMm: 1, grooves: 2, covered: 0.5 },
        { fromMm: 4, grooves: 2, covered: 0.5 },
      ],
      byFamily: [
        { family: 0, grooves: 2, covered: 0.5 },
        { family: 2, grooves: 2, covered: 0.5 },
      ],
    });
    expect(coverageLines(coverageOf(all)!)).toContain('| directional | 2 | 50.0 % |');
  });

  it('ignores pairs, other renders, grooves that were not drawn and refusals', () => {
    const missed = { ...render(3, 2, 4), measured: null };
    const elsewhere = render(3, 2, 4, { grooves: [{ number: 2, depthMm: 3 }] });
    const ignored = [render(3, 2, 4, { pair: { id: 1, extraMm: 0 } }), render(3, 2, 4, { tread: 'no' }), missed, elsewhere];
    expect(coverageOf([...ignored, render(3, 2, 4)])).toMatchObject({ all: { grooves: 1, covered: 1 } });
    expect(coverageOf(ignored)).toBeUndefined();
  });
});
