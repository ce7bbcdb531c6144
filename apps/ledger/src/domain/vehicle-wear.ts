import { POSITIONS, type Position } from '@tire/kernel';

/**
 * Wear of the tires of a vehicle, from the depths of its inspections. The method: a straight line by least squares, each depth weighted by its
 * interval. Intervals are taken as 90 % ranges of a normal distribution. Dates are where the 90 % band around the line crosses a limit. Depths
 * without an interval, and those that do not say how worn the tire is, are left out.
 */
export interface MeasuredDepth {
  readonly depthMm: number;
  /** Null: it has none. */
  readonly intervalMm: readonly [low: number, high: number] | null;
  /** A place is bald, a part was not seen, or it is not known which tire it is. */
  readonly isDoubtful: boolean;
}

/** Oldest first. */
export interface Inspection {
  readonly reportId: string;
  readonly atMs: number;
  readonly mileageKm: number | null;
  readonly depths: Readonly<Partial<Record<Position, MeasuredDepth>>>;
}

export const VERDICTS = ['replaced', 'rotated', 'refused'] as const;

/** What a person said about a depth that rose: since that inspection the tire is another one, or it is not. */
export interface Judgement {
  readonly reportId: string;
  readonly position: Position;
  readonly verdict: (typeof VERDICTS)[number];
  /** Where the tire was before it changed its place. */
  readonly withPosition: Position | null;
}

export interface Proposal {
  readonly reportId: string;
  readonly position: Position;
  readonly kind: 'replaced' | 'rotated';
  readonly withPosition: Position | null;
}

/** too_few: fewer than two usable depths. no_wear: the depths do not fall. */
type NoEstimate = 'too_few' | 'no_wear';

/** The first and the last day on which the limit may be reached. Latest null: not within ten years. */
interface ReachedRange {
  readonly limitMm: number;
  readonly earliestMs: number;
  readonly latestMs: number | null;
}

export interface Wear {
  readonly position: Position;
  readonly inspections: number;
  readonly refused: NoEstimate | null;
  readonly reached: readonly ReachedRange[];
  /** Millimetres in 10,000 km, with its 90 % range. Null without two mileages, or where no wear is seen. */
  readonly per10000Km: { readonly mm: number; readonly lowMm: number; readonly highMm: number } | null;
}

const LIMITS_MM = [3, 1.6] as const;
const DAY_MS = 86_400_000;
const HORIZON_DAYS = 3_650;
/** Of a normal distribution: 90 % lie within so many standard deviations. */
const Z_90 = 1.645;
/** Depths are printed with one decimal. */
const SIGMA_MIN_MM = 0.05;

interface Point {
  readonly x: number;
  readonly depthMm: number;
  readonly sigmaMm: number;
}

interface Line {
  readonly meanX: number;
  readonly meanMm: number;
  readonly slope: number;
  readonly meanVariance: number;
  readonly slopeVariance: number;
}

type UsableDepth = MeasuredDepth & { readonly intervalMm: readonly [number, number] };

const isUsable = (depth: MeasuredDepth | undefined): depth is UsableDepth => !!depth && depth.intervalMm !== null && !depth.isDoubtful;

/** Null with fewer than two different x. */
export function lineThrough(points: readonly Point[]): Line | null {
  const weights = points.map(({ sigmaMm }) => 1 / sigmaMm ** 2);
  const sum = (of: (point: Point, weight: number) => number) =>
    points.reduce((total, point, index) => total + of(point, weights[index]!), 0);
  const weight = sum((_, w) => w);
  const meanX = sum(({ x }, w) => w * x) / weight;
  const meanMm = sum(({ depthMm }, w) => w * depthMm) / weight;
  const spread = sum(({ x }, w) => w * (x - meanX) ** 2);
  if (points.length < 2 || new Set(points.map(({ x }) => x)).size < 2) return null;
  const slope = sum(({ x, depthMm }, w) => w * (x - meanX) * (depthMm - meanMm)) / spread;
  return { meanX, meanMm, slope, meanVariance: 1 / weight, slopeVariance: 1 / spread };
}

function pointOf(x: number, { depthMm, intervalMm: [low, high] }: UsableDepth): Point {
  return { x, depthMm, sigmaMm: Math.max(SIGMA_MIN_MM, (high - low) / 2 / Z_90) };
}

/** The first day from the last inspection on, on which an edge of the band is at the limit or below it. `side` -1: the lower edge. */
function crossing(
  { meanX, meanMm, slope, meanVariance, slopeVariance }: Line,
  limitMm: number,
  fromDay: number,
  side: -1 | 1,
): number | null {
  for (let day = fromDay; day <= fromDay + HORIZON_DAYS; day++) {
    const band = Z_90 * Math.sqrt(meanVariance + (day - meanX) ** 2 * slopeVariance);
    if (meanMm + slope * (day - meanX) + side * band <= limitMm) return day;
  }
  return null;
}

/** The inspections since the tire that is there now came to its place. */
function sinceChange(position: Position, inspections: readonly Inspection[], judgements: readonly Judgement[]): readonly Inspection[] {
  const changed = new Set(
    judgements
      .filter(({ verdict, ...of }) => verdict !== 'refused' && (of.position === position || of.withPosition === position))
      .map(({ reportId }) => reportId),
  );
  const last = inspections.findLastIndex(({ reportId }) => changed.has(reportId));
  return inspections.slice(Math.max(0, last));
}

export function wearOf(position: Position, inspections: readonly Inspection[], judgements: readonly Judgement[]): Wear {
  const series = sinceChange(position, inspections, judgements).flatMap(({ atMs, mileageKm, depths }) => {
    const depth = depths[position];
    return isUsable(depth) ? [{ atMs, mileageKm, depth }] : [];
  });
  const originMs = series[0]?.atMs ?? 0;
  const line = lineThrough(series.map(({ atMs, depth }) => pointOf((atMs - originMs) / DAY_MS, depth)));
  const empty = { position, inspections: series.length, reached: [], per10000Km: null };
  if (line === null) return { ...empty, refused: 'too_few' };
  if (line.slope >= 0) return { ...empty, refused: 'no_wear' };
  const lastDay = (series.at(-1)!.atMs - originMs) / DAY_MS;
  const dateOf = (day: number | null) => (day === null ? null : originMs + Math.round(day) * DAY_MS);
  const reached = LIMITS_MM.flatMap((limitMm): ReachedRange[] => {
    const earliestMs = dateOf(crossing(line, limitMm, lastDay, -1));
    return earliestMs === null ? [] : [{ limitMm, earliestMs, latestMs: dateOf(crossing(line, limitMm, lastDay, 1)) }];
  });
  const driven = series.flatMap(({ mileageKm, depth }) => (mileageKm === null ? [] : [pointOf(mileageKm / 10_000, depth)]));
  return { ...empty, refused: null, reached, per10000Km: perDistance(lineThrough(driven)) };
}

function perDistance(line: Line | null): Wear['per10000Km'] {
  if (line === null || line.slope >= 0) return null;
  const reach = Z_90 * Math.sqrt(line.slopeVariance);
  return { mm: -line.slope, lowMm: Math.max(0, -line.slope - reach), highMm: -line.slope + reach };
}

const overlap = (one: readonly [number, number], other: readonly [number, number]): boolean => one[0] <= other[1] && other[0] <= one[1];

/**
 * Where a depth rose beyond both intervals and nobody has said why. It looks like a rotation where another tire had that depth before, and has
 * now what was here.
 */
export function proposals(inspections: readonly Inspection[], judgements: readonly Judgement[]): Proposal[] {
  const judged = new Set(judgements.map(({ reportId, position }) => `${reportId} ${position}`));
  const found: Proposal[] = [];
  for (const position of POSITIONS) {
    const seen = inspections.filter(({ depths }) => isUsable(depths[position]));
    for (const [index, now] of seen.entries()) {
      const before = seen[index - 1];
      if (!before || judged.has(`${now.reportId} ${position}`)) continue;
      const [was, is] = [before.depths[position] as UsableDepth, now.depths[position] as UsableDepth];
      if (is.intervalMm[0] <= was.intervalMm[1]) continue;
      const withPosition = POSITIONS.find((other) => {
        const [otherWas, otherIs] = [before.depths[other], now.depths[other]];
        if (other === position || !isUsable(otherWas) || !isUsable(otherIs)) return false;
        return overlap(otherWas.intervalMm, is.intervalMm) && overlap(was.intervalMm, otherIs.intervalMm);
      });
      found.push({ reportId: now.reportId, position, kind: withPosition ? 'rotated' : 'replaced', withPosition: withPosition ?? null });
    }
  }
  return found;
}
