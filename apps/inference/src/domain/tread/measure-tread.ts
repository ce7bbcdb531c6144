import type { TreadMeasurement } from '@tire/contracts/events';
import type { RetakeReason } from '@tire/kernel';
import { median, type Point } from '../field';
import { lifetimeKm } from './lifetime';
import { measuredBand, outlineOf, type MeasuredBand } from './groove-band';
import { lateralHistogram } from './lateral-histogram';
import { uprightFrame, type UprightFrame } from './upright-frame';
import { MIN_TREAD_PX, sideAt, treadBox, treadPixels, type TreadMaps } from './tread-maps';
import { groovesOnTread } from './grooves-on-tread';
import { tracedLines, type TraceThresholds } from './traced-grooves';
import { unseenOf, unseenParts, type Unseen, type UnseenThresholds } from './unseen-parts';
import { depthOf, intervalOf, widening, type DepthCalibration, type DepthInterval } from './depth-interval';
import { baldSpans, fromOtherEdge, outlineOfSpan, placeOf, widthOf, type BaldThresholds, type Span } from './bald-zones';
import { baldArea, isWornSmooth, type SmoothThresholds } from './worn-smooth';

export interface TreadThresholds extends TraceThresholds, DepthCalibration, BaldThresholds, SmoothThresholds, UnseenThresholds {
  readonly minIsTread: number;
  readonly minSide: number;
  readonly maxConfidence: number;
  readonly minBrightness: number;
  readonly maxBrightness: number;
  readonly maxBlurPx: number;
  readonly minTreadShare: number;
  readonly maxObliqueness: number;
}

/** The part of the image that the maps cover, in shares of its width and height. */
export interface View {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface TreadVerdict {
  /** Undefined where the image shows no tread that can be measured. */
  readonly measurement: TreadMeasurement | undefined;
  /** Faults of the image, measured or not. */
  readonly reasons: readonly RetakeReason[];
  /** What decides which parts were not seen; undefined where no groove was found. */
  readonly unseen?: Unseen;
}

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
const share = (value: number) => round(Math.min(1, Math.max(0, value)), 5);

export function measureTread(maps: TreadMaps, view: View, thresholds: TreadThresholds): TreadVerdict {
  const tread = treadPixels(maps);
  const reasons = reasonsFor(maps, tread, view, thresholds);
  const { onTread, directionRad } = groovesOnTread(maps);
  const frame = uprightFrame(onTread.width, onTread.height, directionRad);
  const isTread = maps.isTread >= thresholds.minIsTread && tread.length >= MIN_TREAD_PX;
  const lines = isTread ? tracedLines(maps, onTread, frame, thresholds) : { grooves: [], unclear: [] };
  const grooves = lines.grooves.map((band) => measuredBand(maps, band));
  const seen: Seen = { tread, frame, grooves, bald: isTread ? baldSpans(maps, tread, frame, thresholds) : [], view };
  if (lines.grooves.length > 0) {
    const unseen = unseenOf(maps, tread, frame, lines, view);
    const isCut = Math.max(...unseen.cutShares) > thresholds.maxCutShare;
    return { measurement: measurementOf(maps, seen, unseen, thresholds), reasons: isCut ? [...reasons, 'tread_cut_off'] : reasons, unseen };
  }
  if (isTread && isWornSmooth(maps, tread, seen.bald, reasons, thresholds))
    return { measurement: smoothMeasurementOf(maps, seen, thresholds), reasons };
  return { measurement: undefined, reasons: [...reasons, 'not_a_tread'] };
}

interface Seen {
  /** Pixel indices of the tread. */
  readonly tread: Int32Array;
  readonly frame: UprightFrame;
  /** The grooves from left to right. */
  readonly grooves: readonly MeasuredBand[];
  readonly bald: readonly Span[];
  readonly view: View;
}

type BaldZones = NonNullable<TreadMeasurement['baldZones']>;
type Outside = 'left' | 'right' | 'unknown';

function outsideOf(maps: TreadMaps, frame: UprightFrame, { minSide }: TreadThresholds): Outside {
  const [, left, right] = sideAt(maps, frame.angleRad);
  return Math.max(left, right) < minSide ? 'unknown' : left > right ? 'left' : 'right';
}

/** The part of a measurement that does not depend on grooves. */
function placementOf(maps: TreadMaps, { tread, frame, view }: Seen, outside: Outside) {
  return {
    tireRotationDegClockwise: round((-frame.angleRad * 180) / Math.PI, 1) || 0,
    // The interface names the side of the vehicle's inside.
    vehicleSide: outside === 'unknown' ? 'unknown' : outside === 'left' ? 'right' : 'left',
    treadRoiBboxNorm: regionOf(maps, tread, view),
  };
}

function measurementOf(maps: TreadMaps, seen: Seen, unseen: Unseen, t: TreadThresholds): TreadMeasurement {
  const { tread, frame, grooves: bands, view } = seen;
  const outside = outsideOf(maps, frame, t);
  const grooves = outside === 'right' ? [...bands].reverse() : bands;
  const depths = grooves.map(({ depthMm }) => depthOf(depthMm, t));
  const aggregated = middle(depths);
  const confidence = confidenceOf(maps, tread, grooves, t);
  const wider = widening(confidence, t);
  const intervals = grooves.map(({ intervalMm }, i) => intervalMm && intervalOf(depths[i]!, intervalMm, wider, t));
  return {
    quality: { recognized: true, confidence },
    aggregatedRemainingDepthMm: round(aggregated, 2),
    aggregatedDepthInterval: aggregatedInterval(depths, intervals),
    estimatedLifetimeKm: lifetimeKm(aggregated),
    individualRemainingDepthMm: depths,
    individualDepthInterval: intervals.filter((interval) => interval !== undefined),
    grooveMasks: grooves.map((groove, i) => ({
      depthMm: depths[i]!,
      score: round(groove.score, 2),
      polygonXyNorm: outlineOf(groove, frame).map((point) => inImage(point, maps, view)),
      depthInterval: intervals[i],
    })),
    baldZones: maps.bald && baldZonesOf(maps, seen, outside),
    unseen: { parts: unseenParts(unseen, seen.bald, outside === 'right', t) },
    ...placementOf(maps, seen, outside),
  };
}

/** A tread without a groove: there is no depth, and the whole tread is bald. */
function smoothMeasurementOf(maps: TreadMaps, seen: Seen, t: TreadThresholds): TreadMeasurement {
  const outside = outsideOf(maps, seen.frame, t);
  const whole = baldZonesOf(maps, { ...seen, bald: [{ from: 0, to: 1 }] }, outside);
  return {
    quality: { recognized: true, confidence: round(t.maxConfidence * maps.isTread * baldArea(maps, seen.tread), 2) },
    individualRemainingDepthMm: [],
    individualDepthInterval: [],
    grooveMasks: [],
    baldZones: { ...whole, shareOfWidth: round(widthOf(seen.bald), 3), wornSmooth: true },
    ...placementOf(maps, seen, outside),
  };
}

/** Returns the bald zones in the order of the grooves. */
function baldZonesOf(maps: TreadMaps, { frame, bald, view }: Seen, outside: Outside): BaldZones {
  const zones = bald.map((span) => {
    const { from, to } = outside === 'right' ? fromOtherEdge(span) : span;
    return {
      fromShare: round(from, 3),
      toShare: round(to, 3),
      place: placeOf({ from, to }),
      polygonXyNorm: outlineOfSpan(maps, frame, span).map((point) => inImage(point, maps, view)),
    };
  });
  return { shareOfWidth: round(widthOf(bald), 3), zones: outside === 'right' ? zones.reverse() : zones, wornSmooth: false };
}

/** The positions of the two values in the middle. For an odd number they are the same. */
const middleTwo = (count: number) => [Math.floor((count - 1) / 2), Math.ceil((count - 1) / 2)] as const;

const middle = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const [a, b] = middleTwo(sorted.length);
  return (sorted[a]! + sorted[b]!) / 2;
};

/** The interval of the aggregate, from the grooves whose depths make it. Their errors have causes in common, so they do not cancel out. */
function aggregatedInterval(depths: readonly number[], intervals: readonly (DepthInterval | undefined)[]): DepthInterval | undefined {
  const order = depths.map((_, i) => i).sort((a, b) => depths[a]! - depths[b]!);
  const [a, b] = middleTwo(depths.length).map((at) => intervals[order[at]!]);
  return a && b && { lowMm: round((a.lowMm + b.lowMm) / 2, 2), highMm: round((a.highMm + b.highMm) / 2, 2) };
}

const inImage = ({ x, y }: Point, { groove }: TreadMaps, view: View): Point => ({
  x: share(view.left + ((x + 0.5) / groove.width) * view.width),
  y: share(view.top + ((y + 0.5) / groove.height) * view.height),
});

function regionOf(maps: TreadMaps, tread: Int32Array, view: View) {
  const { left, right, top, bottom } = treadBox(maps, tread);
  const [first, last] = [inImage({ x: left - 0.5, y: top - 0.5 }, maps, view), inImage({ x: right + 0.5, y: bottom + 0.5 }, maps, view)];
  return { x1: first.x, y1: first.y, x2: last.x, y2: last.y };
}

/**
 * Decreases with everything by which an input differs from the training data: pixels that are neither groove nor rib, interrupted grooves,
 * depths with a large expected error.
 */
function confidenceOf(maps: TreadMaps, tread: Int32Array, grooves: readonly MeasuredBand[], { maxConfidence }: TreadThresholds): number {
  const { data } = maps.groove;
  let decided = 0;
  for (let k = 0; k < tread.length; k++) decided += Math.abs(2 * data[tread[k]!]! - 1);
  const trusted = 1 / (1 + median(grooves.map(({ spreadMm }) => spreadMm)));
  return round(maxConfidence * maps.isTread * (decided / tread.length) * median(grooves.map(({ score }) => score)) * trusted, 2);
}

function reasonsFor(maps: TreadMaps, tread: Int32Array, view: View, t: TreadThresholds): RetakeReason[] {
  const treadShare = (tread.length / maps.tread.data.length) * view.width * view.height;
  // A wheel seen from its side shows some tread, and a closer image of it would be no better.
  const isThere = tread.length >= MIN_TREAD_PX && maps.isTread >= t.minIsTread;
  const histogram = lateralHistogram(maps, tread);
  const third = Math.floor(histogram.length / 3);
  const pixelsFrom = (bin: number) => histogram.subarray(bin, bin + third).reduce((sum, count) => sum + count, 0);
  const [left, right] = [pixelsFrom(0), pixelsFrom(histogram.length - third)];
  const checks: [RetakeReason, boolean][] = [
    ['too_dark', maps.brightness < t.minBrightness],
    ['too_bright', maps.brightness > t.maxBrightness],
    ['blurred', maps.blurPx > t.maxBlurPx],
    ['too_far', isThere && treadShare < t.minTreadShare],
    // At an angle, one shoulder covers many more pixels than the other.
    ['too_oblique', isThere && Math.max(left, right) > t.maxObliqueness * Math.max(1, Math.min(left, right))],
  ];
  return checks.filter(([, holds]) => holds).map(([reason]) => reason);
}
