import type { VehicleTread } from '@tire/contracts/api';
import type { VehicleHistory } from '@tire/contracts/console';
import { POSITIONS, type Position } from './positions';

/** The legal limit for tires of passenger cars. */
export const LEGAL_LIMIT_MM = 1.6;
/** A new tire. Deeper values extend the scale. */
const DEPTH_MAX_MM = 8;
const STEP_MM = 2;
const MARGIN_PX = { left: 28, right: 12, top: 14, bottom: 30 };
/** Keeps dates from overlapping. */
const DAY_WIDTH_PX = 84;
const DAYS_MAX = 6;

export interface Point {
  readonly x: number;
  readonly y: number;
  /** The ends of the interval, where there is one. */
  readonly range: { readonly lowY: number; readonly highY: number } | null;
  /** A part of the tread is bald or was not seen, or another tire has the same image: the depth does not say how worn the tire is. */
  readonly isDoubtful: boolean;
}

export interface Chart {
  readonly widthPx: number;
  readonly left: number;
  readonly right: number;
  readonly limitY: number;
  readonly depths: readonly { readonly depthMm: number; readonly y: number }[];
  readonly days: readonly { readonly atMs: number; readonly x: number; readonly anchor: 'start' | 'middle' | 'end' }[];
  readonly series: Readonly<Record<Position, readonly Point[]>>;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** The layout in pixels; null without measurements. */
export function chartOf(inspections: VehicleHistory['inspections'], widthPx: number, heightPx: number): Chart | null {
  const measured = inspections.filter(({ depths_mm }) => Object.keys(depths_mm).length > 0);
  const [first, last] = [measured[0], measured.at(-1)];
  if (!first || !last) return null;
  const deepest = Math.max(DEPTH_MAX_MM, ...measured.flatMap(deepestOf));
  const topMm = Math.ceil(deepest / STEP_MM) * STEP_MM;
  const [left, right] = [MARGIN_PX.left, Math.max(widthPx - MARGIN_PX.right, MARGIN_PX.left + 1)];
  const [fromMs, toMs] = [Date.parse(first.created_at), Date.parse(last.created_at)];
  const bottom = heightPx - MARGIN_PX.bottom;
  const yOf = (depthMm: number) => rounded(bottom - (depthMm / topMm) * (bottom - MARGIN_PX.top));
  // A single date is centred.
  const xOf = (atMs: number) => rounded(toMs === fromMs ? (left + right) / 2 : left + ((atMs - fromMs) / (toMs - fromMs)) * (right - left));
  const pointsOf = (position: Position): Point[] =>
    measured.flatMap(({ created_at, depths_mm, treads }) => {
      const depthMm = depths_mm[position];
      if (depthMm === undefined) return [];
      const tread = treads[position];
      const [lowMm, highMm] = tread?.depth_interval_mm ?? [];
      const range = lowMm === undefined || highMm === undefined ? null : { lowY: yOf(lowMm), highY: yOf(highMm) };
      return [{ x: xOf(Date.parse(created_at)), y: yOf(depthMm), range, isDoubtful: !!tread && isDoubtful(tread) }];
    });
  return {
    widthPx,
    left,
    right,
    limitY: yOf(LEGAL_LIMIT_MM),
    depths: Array.from({ length: topMm / STEP_MM + 1 }, (_, step) => ({ depthMm: step * STEP_MM, y: yOf(step * STEP_MM) })),
    days: daysOf(fromMs, toMs, right - left).map((atMs, index, all) => ({ atMs, x: xOf(atMs), anchor: anchorOf(index, all.length) })),
    series: Object.fromEntries(POSITIONS.map((position) => [position, pointsOf(position)])) as Record<Position, Point[]>,
  };
}

const isDoubtful = ({ is_bald, is_partly_unseen, is_image_shared }: VehicleTread): boolean =>
  is_bald || is_partly_unseen || is_image_shared;

const deepestOf = ({ depths_mm, treads }: VehicleHistory['inspections'][number]): number[] => [
  ...Object.values(depths_mm),
  ...Object.values(treads).flatMap(({ depth_interval_mm }) => depth_interval_mm ?? []),
];

/** The first day, the last day, and as many days between them as fit. */
function daysOf(fromMs: number, toMs: number, widthPx: number): number[] {
  if (fromMs === toMs) return [fromMs];
  const steps = Math.max(1, Math.min(DAYS_MAX - 1, Math.floor(widthPx / DAY_WIDTH_PX) - 1));
  return Array.from({ length: steps + 1 }, (_, step) => Math.round(fromMs + ((toMs - fromMs) * step) / steps));
}

function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  if (count === 1) return 'middle';
  if (index === 0) return 'start';
  return index === count - 1 ? 'end' : 'middle';
}
