import type { DepthPoint } from '../facts/vehicle-facts';
import type { Drawing } from './drawing';

const WIDTH = 240;
const HEIGHT = 96;
const PAD = 8;
const TOP_MM = 9;
const DOT = 1.9;

const fixed = (value: number): string => value.toFixed(1);
const dot = (x: number, y: number): string =>
  `M${fixed(x - DOT)} ${fixed(y)}a${DOT} ${DOT} 0 1 0 ${2 * DOT} 0a${DOT} ${DOT} 0 1 0 ${-2 * DOT} 0Z`;

/** Depths over time with their intervals, and both limits. A line joins the depths of one tire only. */
export function depthChart(points: readonly DepthPoint[]): Drawing {
  const top = Math.max(TOP_MM, ...points.map(({ depthMm, highMm }) => Math.ceil(highMm ?? depthMm)));
  const [first, last] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0];
  const x = (atMs: number) => (last === first ? WIDTH / 2 : PAD + ((atMs - first) / (last - first)) * (WIDTH - 2 * PAD));
  const y = (mm: number) => HEIGHT - (mm / top) * (HEIGHT - PAD);
  const line = points
    .map(({ atMs, depthMm, isNew }, index) => `${index === 0 || isNew ? 'M' : 'L'}${fixed(x(atMs))} ${fixed(y(depthMm))}`)
    .join('');
  const ranges = points
    .flatMap(({ atMs, lowMm, highMm }) =>
      lowMm === null || highMm === null ? [] : [`M${fixed(x(atMs))} ${fixed(y(lowMm))}V${fixed(y(highMm))}`],
    )
    .join('');
  const dots = (isDoubtful: boolean) =>
    points
      .filter((point) => point.isDoubtful === isDoubtful)
      .map(({ atMs, depthMm }) => dot(x(atMs), y(depthMm)))
      .join('');
  const across = (mm: number) => `M0 ${fixed(y(mm))}H${WIDTH}`;
  return {
    widthUnits: WIDTH,
    heightUnits: HEIGHT + 1,
    shapes: [
      { look: 'line', path: `M0 ${HEIGHT}H${WIDTH}` },
      { look: 'threshold', path: across(3) },
      { look: 'limit', path: across(1.6) },
      { look: 'series', path: line },
      { look: 'interval', path: ranges },
      { look: 'point', path: dots(false) },
      { look: 'doubt', path: dots(true) },
    ].filter(({ path }) => path !== '') as Drawing['shapes'],
  };
}
