import type { TireSize } from '@tire/contracts/events';
import { elect, fused, showsAnotherThan, weightOf } from './votes';

const table = [
  { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 },
  { sectionWidthMm: 225, aspectRatioPercent: 55, rimDiameterInch: 17 },
  { sectionWidthMm: 205, aspectRatioPercent: 55, rimDiameterInch: 16 },
];

describe('readings of one place', () => {
  const [a, b, c] = table as [TireSize, TireSize, TireSize];
  const read = (...readings: [TireSize, number][]) => readings.map(([size, logLikelihood]) => ({ size, logLikelihood }));

  it('give a result together that none gives alone', () => {
    const looks = [read([a, -0.7], [b, -0.7]), read([c, -0.7], [a, -0.7])];
    for (const scan of looks) expect(weightOf(fused([scan]))).toBeLessThan(0.5);
    expect(fused(looks)[0]!.size).toBe(a);
    expect(weightOf(fused(looks))).toBeGreaterThan(0.6);
  });

  it('are not decided by one that is sure of another size', () => {
    expect(fused([read([a, 0], [b, -9]), read([b, -0.1], [a, -9]), read([b, -0.1], [a, -9])])[0]!.size).toBe(b);
  });

  it('gain nothing from a spoilt or empty reading', () => {
    const clear = read([a, 0], [b, -8]);
    expect(weightOf(fused([clear, clear, read([c, -30]), []]))).toBeCloseTo(weightOf(fused([clear])), 1);
    expect(fused([[], []])).toEqual([]);
  });

  it('prefer the common one of two nearly equal sizes, but not over a clear rare one', () => {
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

describe('a text that shows another size than the elected one', () => {
  const [a, b, c] = table as [TireSize, TireSize, TireSize];
  const read = (...readings: [TireSize, number][]) => readings.map(([size, logLikelihood]) => ({ size, logLikelihood }));

  it.each([
    ['surely another one', [read([b, 0], [a, -9])], true],
    ['another one or a third one, the elected one not', [read([b, -0.1], [c, -0.2])], true],
    ['another one in its clearer readings', [read([b, -0.2], [a, -9]), read([b, -12])], true],
    ['another one, the elected one nearly as likely', [read([b, 0], [a, -4])], false],
    ['another one, the elected one in half of the readings', [read([b, 0], [a, -9]), read([a, 0], [b, -9])], false],
    ['another one, not surely', [read([b, -3])], false],
    ['the elected one', [read([a, 0], [b, -9])], false],
    ['nothing', [[], []], false],
  ])('%s', (_, readings, contradicts) => {
    expect(showsAnotherThan(a, readings)).toBe(contradicts);
  });
});

describe('votes', () => {
  const [a, b] = [table[0]!, table[1]!];
  it('add up over texts', () => {
    expect(elect([[{ size: a, logLikelihood: -0.7 }], [{ size: a, logLikelihood: -0.7 }]], 0.6)?.size).toBe(a);
    expect(elect([[{ size: a, logLikelihood: -0.7 }]], 0.6)).toBeUndefined();
  });
  it.each([
    [-0.8, false],
    [-2.5, true],
  ])('are not enough where another place shows another size (log likelihood %d, enough: %s)', (logLikelihood, isEnough) => {
    const vote = elect([[{ size: a, logLikelihood: 0 }], [{ size: b, logLikelihood }]], 0.93);
    expect(vote !== undefined).toBe(isEnough);
  });

  it('lose weight beside texts that are no such size', () => {
    expect(elect([[{ size: a, logLikelihood: 0 }]], 0.6, 0.5)?.confidence).toBeCloseTo(0.8);
    expect(elect([[{ size: a, logLikelihood: 0 }]], 0.6, 0.9)).toBeUndefined();
  });

  it('cancel each other out', () => {
    expect(elect([[{ size: a, logLikelihood: 0 }], [{ size: b, logLikelihood: 0 }]], 0.6)).toBeUndefined();
  });
});
