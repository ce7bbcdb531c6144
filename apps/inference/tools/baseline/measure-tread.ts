import type { TreadMeasurement } from '@tire/contracts/events';
import { median, quantile, type Field, type Point } from '../../src/domain/field';
import { lifetimeKm } from '../../src/domain/tread/lifetime';
import { turned, uprightFrame, type UprightFrame } from '../../src/domain/tread/upright-frame';
import { depthFromShade, type DepthCalibration } from './depth-from-shade';
import { alongResponse, directionCandidates, type FilterMaps } from './filter-maps';
import { measureGroove, type Groove } from './groove';
import { tracePaths } from './trace-paths';

export interface FilterThresholds {
  readonly minTreadShare: number;
  readonly minResponse: number;
  readonly maxResponse: number;
  readonly minLengthShare: number;
  readonly minRelativeScore: number;
  readonly minRibBalance: number;
  readonly minContinuity: number;
  readonly maxDarkness: number;
  readonly maxWander: number;
  readonly minRubber: number;
  readonly maxSpacingVariation: number;
  readonly minOverlap: number;
  readonly minSpacingShare: number;
  readonly minGrooves: number;
  readonly maxConfidence: number;
}

export interface FoundGrooves {
  readonly frame: UprightFrame;
  readonly grooves: readonly Groove[];
  readonly score: number;
}

const MAX_GROOVES = 7;
const ROWS_PER_SIDE = 60;
const degrees = (radians: number) => (radians * 180) / Math.PI;
const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

/** The measurement, or undefined where the image shows no tread that can be measured. */
export function measureFilterMaps(
  maps: FilterMaps,
  thresholds: FilterThresholds,
  calibration: DepthCalibration,
): TreadMeasurement | undefined {
  const found = findGrooves(maps, thresholds);
  if (!found || found.grooves.length < thresholds.minGrooves) return undefined;
  const { frame, grooves } = found;
  const span = treadSpan(found);
  const pxPerMm = (span.right - span.left) / calibration.treadWidthMm;
  const depths = grooves.map((groove) => round(depthFromShade(groove.darkness, groove.widthPx / pxPerMm, calibration), 2));
  const scores = grooves.map(scoreOf);
  const aggregated = median(depths.length % 2 ? depths : [...depths, (quantile(depths, 0.49) + quantile(depths, 0.5)) / 2]);
  return {
    quality: { recognized: true, confidence: round(thresholds.maxConfidence * median(scores), 2) },
    aggregatedRemainingDepthMm: round(aggregated, 2),
    estimatedLifetimeKm: lifetimeKm(aggregated),
    individualRemainingDepthMm: depths,
    individualDepthInterval: [],
    tireRotationDegClockwise: round(-degrees(frame.angleRad), 1),
    vehicleSide: 'unknown',
    grooveMasks: grooves.map((groove, i) => ({
      depthMm: depths[i]!,
      score: round(scores[i]!, 2),
      polygonXyNorm: polygon(groove, frame, maps.groove),
    })),
    treadRoiBboxNorm: regionOf(found, span, maps.groove),
  };
}

const scoreOf = (groove: Groove) => Math.min(1, groove.continuity * (0.4 + 0.6 * Math.min(1, (1 - groove.darkness) / 0.5)));

/** The direction with the most and longest parallel dark lines, and those lines from left to right. */
export function findGrooves(maps: FilterMaps, thresholds: FilterThresholds): FoundGrooves | undefined {
  const clear = clearestGrooves(maps, { ...thresholds, maxResponse: Infinity });
  // A tire's outline against a bright floor raises the threshold so much that shallow grooves are lost: searches again with a capped
  // threshold.
  return clear && clear.grooves.length >= thresholds.minGrooves ? clear : clearestGrooves(maps, thresholds);
}

function clearestGrooves(maps: FilterMaps, thresholds: FilterThresholds): FoundGrooves | undefined {
  const rubberShare = maps.tread.data.reduce((sum, value) => sum + (value > 0.5 ? 1 : 0), 0) / maps.tread.data.length;
  if (rubberShare < thresholds.minTreadShare) return undefined;
  const candidates = directionCandidates(maps, 4).map((angle) => groovesAt(maps, angle, thresholds));
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  if (!best) return undefined;
  const refined = [-6, -3, 3, 6].map((step) => groovesAt(maps, best.frame.angleRad + (step * Math.PI) / 180, thresholds));
  const winner = [best, ...refined].sort((a, b) => b.score - a.score)[0]!;
  return winner.grooves.length === 0 ? undefined : settled(winner, maps, thresholds);
}

/** Grooves bow, so the final angle is their median slope. */
function settled(found: FoundGrooves, maps: FilterMaps, thresholds: FilterThresholds): FoundGrooves {
  const slopes = found.grooves.map(({ path }) => Math.atan2(path.xs[path.xs.length - 1]! - path.xs[0]!, path.xs.length - 1));
  const again = groovesAt(maps, normalized(found.frame.angleRad - median(slopes)), thresholds);
  return again.grooves.length >= found.grooves.length ? again : found;
}

const normalized = (angle: number) => (angle > Math.PI / 2 ? angle - Math.PI : angle <= -Math.PI / 2 ? angle + Math.PI : angle);

function groovesAt(maps: FilterMaps, angleRad: number, thresholds: FilterThresholds): FoundGrooves {
  const { width, height } = maps.groove;
  const frame = uprightFrame(width, height, normalized(angleRad));
  const response = alongResponse(maps, frame, 6);
  const bias = Math.min(thresholds.maxResponse, Math.max(thresholds.minResponse, 0.45 * quantile(response.data, 0.97)));
  const spacing = thresholds.minSpacingShare * Math.min(width, height);
  const minLength = thresholds.minLengthShare * Math.min(width, height);
  const paths = tracePaths(response, { bias, stepPenalty: bias / 2, minLength, minSpacing: spacing, maxPaths: MAX_GROOVES + 2 });
  const reflectance = turned(maps.reflectance, frame);
  const tread = turned(maps.tread, frame);
  const all = paths.map((path) => measureGroove(path, reflectance, tread, Math.max(6, spacing)));
  const sound = all.filter((groove) => isSound(groove, thresholds));
  const longest = Math.max(0, ...sound.map((groove) => groove.path.score));
  const grooves = parallelGrooves(
    sound.filter((groove) => groove.path.score >= thresholds.minRelativeScore * longest),
    thresholds,
  ).slice(0, MAX_GROOVES);
  const ordered = grooves.sort((a, b) => centreOf(a) - centreOf(b));
  return { frame, grooves: ordered, score: ordered.reduce((sum, groove) => sum + groove.path.score, 0) };
}

const isSound = (groove: Groove, thresholds: FilterThresholds) =>
  groove.ribBalance >= thresholds.minRibBalance &&
  groove.continuity >= thresholds.minContinuity &&
  groove.darkness <= thresholds.maxDarkness &&
  groove.wander <= thresholds.maxWander &&
  groove.rubber >= thresholds.minRubber;

/** Grooves of one tire are parallel: keeps those with a constant distance to the strongest line, up to perspective. */
function parallelGrooves(grooves: readonly Groove[], { maxSpacingVariation, minOverlap }: FilterThresholds): Groove[] {
  const reference = grooves[0];
  if (!reference) return [];
  return grooves.filter((groove) => {
    if (groove === reference) return true;
    const distances = groove.path.xs.flatMap((x, i) => {
      const other = reference.path.xs[groove.path.top + i - reference.path.top];
      return other === undefined ? [] : [x - other];
    });
    if (distances.length < minOverlap * Math.min(groove.path.xs.length, reference.path.xs.length)) return false;
    const mean = distances.reduce((sum, d) => sum + d, 0) / distances.length;
    const deviation = Math.sqrt(distances.reduce((sum, d) => sum + (d - mean) ** 2, 0) / distances.length);
    return deviation <= maxSpacingVariation * Math.abs(mean);
  });
}

const centreOf = ({ left, right }: Groove) => {
  const middle = Math.floor(left.length / 2);
  return (left[middle]! + right[middle]!) / 2;
};

/** Extends the outermost grooves by one rib. */
function treadSpan({ grooves }: FoundGrooves): { left: number; right: number } {
  const centres = grooves.map(centreOf);
  const [first, last] = [centres[0]!, centres[centres.length - 1]!];
  const rib = centres.length > 1 ? (last - first) / (centres.length - 1) : grooves[0]!.widthPx * 8;
  return { left: first - rib, right: last + rib };
}

function polygon({ path, left, right }: Groove, frame: UprightFrame, image: Field): Point[] {
  const step = Math.max(1, Math.ceil(left.length / ROWS_PER_SIDE));
  const inside = (p: Point) => p.x >= 0 && p.y >= 0 && p.x <= image.width - 1 && p.y <= image.height - 1;
  const rows = left
    .map((x, i) => ({ a: frame.toImage(x, path.top + i), b: frame.toImage(right[i]!, path.top + i) }))
    .filter((row, i) => (i % step === 0 || i === left.length - 1) && inside(row.a) && inside(row.b));
  const norm = (p: Point) => ({ x: round((p.x + 0.5) / image.width, 5), y: round((p.y + 0.5) / image.height, 5) });
  return [...rows.map((row) => norm(row.a)), ...rows.reverse().map((row) => norm(row.b))];
}

function regionOf({ frame, grooves }: FoundGrooves, span: { left: number; right: number }, image: Field) {
  const top = Math.min(...grooves.map(({ path }) => path.top));
  const bottom = Math.max(...grooves.map(({ path }) => path.top + path.xs.length - 1));
  const corners = [span.left, span.right].flatMap((x) => [top, bottom].map((y) => frame.toImage(x, y)));
  const clamp = (value: number) => round(Math.min(1, Math.max(0, value)), 5);
  const xs = corners.map((p) => p.x / image.width);
  const ys = corners.map((p) => p.y / image.height);
  return { x1: clamp(Math.min(...xs)), y1: clamp(Math.min(...ys)), x2: clamp(Math.max(...xs)), y2: clamp(Math.max(...ys)) };
}
