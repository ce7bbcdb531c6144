import { percent, type Comparison } from './figures';

/** The order of FAMILIES in training/tread/scene_values.py. */
const FAMILIES = ['ribs', 'blocks', 'directional', 'asymmetric', 'winter', 'slots'];

interface Covered {
  readonly grooves: number;
  readonly covered: number;
}

/** How often the 90 % interval of a groove contains its true depth. */
export interface Coverage {
  readonly all: Covered;
  readonly widthMm: number;
  readonly byMm: readonly (Covered & { readonly fromMm: number })[];
  readonly byFamily: readonly (Covered & { readonly family: number })[];
}

interface Groove {
  readonly trueMm: number;
  readonly interval: readonly [low: number, high: number];
  readonly family: number | undefined;
}

function groovesOf({ drawn, measured }: Comparison): Groove[] {
  const depths = new Map(drawn.grooves.map(({ number, depthMm }) => [number, depthMm]));
  return (measured?.grooves ?? []).flatMap(({ number, intervalMm: interval }) => {
    const trueMm = depths.get(number);
    return trueMm === undefined || !interval ? [] : [{ trueMm, interval, family: drawn.family }];
  });
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

// A true depth is written with two digits.
const isCovered = ({ trueMm, interval: [low, high] }: Groove) => low - 0.005 <= trueMm && trueMm <= high + 0.005;
const coveredOf = (grooves: readonly Groove[]): Covered => ({
  grooves: grooves.length,
  covered: mean(grooves.map((one) => (isCovered(one) ? 1 : 0))),
});

const sorted = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);

/** Undefined where the engine gives no intervals. */
export function coverageOf(all: readonly Comparison[]): Coverage | undefined {
  const grooves = all.filter(({ drawn }) => drawn.tread === 'yes' && !drawn.pair).flatMap(groovesOf);
  if (grooves.length === 0) return undefined;
  const families = grooves.flatMap(({ family }) => (family === undefined ? [] : [family]));
  return {
    all: coveredOf(grooves),
    widthMm: mean(grooves.map(({ interval: [low, high] }) => high - low)),
    byMm: sorted(grooves.map(({ trueMm }) => Math.floor(trueMm))).map((fromMm) => ({
      fromMm,
      ...coveredOf(grooves.filter(({ trueMm }) => Math.floor(trueMm) === fromMm)),
    })),
    byFamily: sorted(families).map((family) => ({ family, ...coveredOf(grooves.filter((one) => one.family === family)) })),
  };
}

/** Returns the table as lines of Markdown. */
export function coverageLines({ all, widthMm, byMm, byFamily }: Coverage): string[] {
  const row = (label: string, { grooves, covered }: Covered) => `| ${label} | ${grooves} | ${percent(covered)} |`;
  return [
    `| true depth in the 90 % interval (${widthMm.toFixed(1)} mm wide) | grooves | |`,
    '|---|--:|--:|',
    row('all', all),
    ...byMm.map((one) => row(`${one.fromMm} to ${one.fromMm + 1} mm`, one)),
    ...byFamily.map((one) => row(FAMILIES[one.family] ?? `pattern ${one.family}`, one)),
  ];
}
