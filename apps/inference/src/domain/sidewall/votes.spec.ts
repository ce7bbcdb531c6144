import type { TireSize } from '@tire/contracts';
import { elect, fused, weightOf } from './votes';

const table = [
  { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 },
  { sectionWidthMm: 225, aspectRatioPercent: 55, rimDiameterInch: 17 },
  { sectionWidthMm: 205, aspectRatioPercent: 55, rimDiameterInch: 16 },
];

describe('looks at one place', () => {
  const [a, b, c] = table as [TireSize, TireSize, TireSize];
  const read = (...readings: [TireSize, number][]) => readings.map(([size, logLikelihood]) => ({ size, logLikelihood }));

  it('tell together what none tells alone', () => {
    const looks = [read([a, -0.7], [b, -0.7]), read([c, -0.7], [a, -0.7])];
    for (const scan of looks) expect(weightOf(fused([scan]))).toBeLessThan(0.5);
    expect(fused(looks)[0]!.size).toBe(a);
    expect(weightOf(fused(looks))).toBeGreaterThan(0.6);
  });

  it('are not won by one that is sure of something else', () => {
    expect(fused([read([a, 0], [b, -9]), read([b, -0.1], [a, -9]), read([b, -0.1], [a, -9])])[0]!.size).toBe(b);
  });

  it('are worth no more when one of them is spoilt or reads nothing', () => {
    const clear = read([a, 0], [b, -8]);
    expect(weightOf(fused([clear, clear, read([c, -30]), []]))).toBeCloseTo(weightOf(fused([clear])), 1);
    expect(fused([[], []])).toEqual([]);
  });

  it('are for the common one of two sizes that are nearly as likely, and not against what is clearly a rare one', () => {
    const [rare, common] = [
      { size: b, isCommon: false },
      { size: a, isCommon: true },
    ];
    const of = (likelihood: number) => [
      [
        { ...rare, logLikelihood: 0 },
        { ...common, logLikelihood: likelihood },
      ],
    ];
    expect(fused(of(-0.7))[0]!.size).toBe(a);
    expect(fused(of(-4))[0]!.size).toBe(b);
    expect(weightOf(fused(of(-4)))).toBeGreaterThan(0.9);
    expect(
      fused([
        [
          { ...rare, logLikelihood: -4 },
          { ...common, logLikelihood: -12 },
        ],
      ])[0]!.size,
    ).toBe(b);
  });
});

describe('votes', () => {
  const [a, b] = [table[0]!, table[1]!];
  it('add up over texts', () => {
    expect(elect([[{ size: a, logLikelihood: -0.7 }], [{ size: a, logLikelihood: -0.7 }]], 0.6)?.size).toBe(a);
    expect(elect([[{ size: a, logLikelihood: -0.7 }]], 0.6)).toBeUndefined();
  });
  it('are worth less beside what is no such size', () => {
    expect(elect([[{ size: a, logLikelihood: 0 }]], 0.6, 0.5)?.confidence).toBeCloseTo(0.8);
    expect(elect([[{ size: a, logLikelihood: 0 }]], 0.6, 0.9)).toBeUndefined();
  });

  it('against each other leave nothing', () => {
    expect(elect([[{ size: a, logLikelihood: 0 }], [{ size: b, logLikelihood: 0 }]], 0.6)).toBeUndefined();
  });
});
