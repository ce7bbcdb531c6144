/** Depths of one image as the gauge reads and the model measures them; null where the model refused the image. */
export interface Compared {
  readonly file: string;
  readonly gaugeMm: readonly number[];
  readonly measuredMm: readonly number[] | null;
  /** The 90 % interval of each measured depth, where the engine gives one. */
  readonly intervalsMm?: readonly (readonly [low: number, high: number] | null)[] | null;
}

/** One groove with both depths. */
export interface Pair {
  readonly gaugeMm: number;
  readonly measuredMm: number;
  readonly intervalMm: readonly [low: number, high: number] | null;
}

export interface ErrorTable {
  readonly images: number;
  readonly refused: number;
  /** Images with as many grooves as the gauge read. Only for these the grooves can be matched. */
  readonly countExact: number;
  readonly grooves: number;
  readonly meanAbsoluteMm: number;
  readonly biasMm: number;
  readonly within05: number;
  readonly within10: number;
  /** Share of the grooves whose interval contains what the gauge reads; NaN without intervals. */
  readonly covered: number;
  /** Bias by millimetre of the gauge, with the number of grooves. */
  readonly buckets: readonly { readonly fromMm: number; readonly grooves: number; readonly biasMm: number }[];
}

export const isMatched = ({ gaugeMm, measuredMm }: Compared): boolean => measuredMm?.length === gaugeMm.length;

export const pairsOf = (compared: Compared): Pair[] =>
  isMatched(compared)
    ? compared.gaugeMm.map((gaugeMm, i) => ({
        gaugeMm,
        measuredMm: compared.measuredMm![i]!,
        intervalMm: compared.intervalsMm?.[i] ?? null,
      }))
    : [];

export function errorTable(compared: readonly Compared[]): ErrorTable {
  const pairs = compared.flatMap(pairsOf);
  const errors = pairs.map(({ gaugeMm, measuredMm }) => measuredMm - gaugeMm);
  const within = (limitMm: number) => errors.filter((error) => Math.abs(error) <= limitMm + 1e-9).length / errors.length;
  const buckets = [...new Set(pairs.map(({ gaugeMm }) => Math.floor(gaugeMm)))].sort((a, b) => a - b);
  return {
    images: compared.length,
    refused: compared.filter(({ measuredMm }) => measuredMm === null).length,
    countExact: compared.filter(isMatched).length,
    grooves: pairs.length,
    meanAbsoluteMm: mean(errors.map(Math.abs)),
    biasMm: mean(errors),
    within05: within(0.5),
    within10: within(1),
    covered: mean(pairs.flatMap(({ gaugeMm, intervalMm }) => (intervalMm ? [contains(intervalMm, gaugeMm) ? 1 : 0] : []))),
    buckets: buckets.map((fromMm) => {
      const inside = errors.filter((_, i) => Math.floor(pairs[i]!.gaugeMm) === fromMm);
      return { fromMm, grooves: inside.length, biasMm: mean(inside) };
    }),
  };
}

const contains = ([low, high]: readonly [number, number], depthMm: number): boolean => low - 1e-9 <= depthMm && depthMm <= high + 1e-9;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
