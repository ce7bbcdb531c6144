import { emptyField } from '../field';
import type { TreadThresholds } from './measure-tread';
import type { TreadMaps } from './tread-maps';

export const thresholds: TreadThresholds = {
  minScoreShare: 0.3,
  minScore: 0.5,
  minIsTread: 0.5,
  minSide: 0.7,
  minGroovePx: 30,
  minLengthShare: 0.3,
  maxConfidence: 0.9,
  depthScale: 1,
  depthOffsetMm: 0,
  intervalLowScale: 1,
  intervalHighScale: 1,
  intervalOffsetMm: 0,
  intervalHighFromMm: 0,
  intervalHighSlope: 0,
  intervalSureConfidence: 0,
  minBaldShare: 0.1,
  minIsTreadSmooth: 0.98,
  minTreadShareSmooth: 0.15,
  minBaldAreaSmooth: 0.6,
  minBrightnessSmooth: 0.2,
  maxCutShare: 0.8,
  maxGapShare: 0.42,
  maxLineStrength: 0.1,
  minBrightness: 0.1,
  maxBrightness: 0.9,
  maxBlurPx: 3,
  minTreadShare: 0.1,
  maxObliqueness: 4,
};

export interface Groove {
  /** Middle of the groove from -1, the left edge of the tread, to 1. */
  readonly at: number;
  readonly depthMm: number;
}

export interface Scene {
  readonly width?: number;
  readonly height?: number;
  readonly tiltDeg?: number;
  readonly grooves?: readonly Groove[];
  /** Half the tread's width in pixels. */
  readonly half?: number;
  readonly hidden?: (along: number) => boolean;
  /** The network's interval: so far below and above the depth. Without it, and without `bald`, the network has no such outputs. */
  readonly interval?: readonly [belowMm: number, aboveMm: number];
  /** Whether the tread is bald at a lateral position from -1 to 1. */
  readonly bald?: (lateral: number) => boolean;
}

export const GROOVE_HALF_PX = 4;
export const four: Groove[] = [-0.6, -0.2, 0.2, 0.6].map((at, i) => ({ at, depthMm: [2, 3, 4.5, 6][i]! }));

/** The exact maps of a flat tread in the middle of the image, turned clockwise. */
export function drawn(scene: Scene = {}, changes: Partial<TreadMaps> = {}): TreadMaps {
  const { width = 240, height = 200, tiltDeg = 0, grooves = four, half = 80, hidden = () => false, interval, bald } = scene;
  const [tread, groove, depth, spread, lateral, low, high, worn] = [0, 1, 2, 3, 4, 5, 6, 7].map(() => emptyField(width, height));
  const rotationRad = (tiltDeg * Math.PI) / 180;
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [(i % width) - (width - 1) / 2, Math.floor(i / width) - (height - 1) / 2];
    const across = x * Math.cos(rotationRad) + y * Math.sin(rotationRad);
    const along = y * Math.cos(rotationRad) - x * Math.sin(rotationRad);
    const nearest = grooves.find(({ at }) => Math.abs(across - at * half) <= GROOVE_HALF_PX);
    lateral!.data[i] = across / half;
    tread!.data[i] = Math.abs(across) <= half ? 1 : 0;
    groove!.data[i] = nearest && !hidden(along) ? 1 : 0;
    depth!.data[i] = nearest?.depthMm ?? 9;
    spread!.data[i] = 0.2;
    low!.data[i] = depth!.data[i]! - (interval?.[0] ?? 0);
    high!.data[i] = depth!.data[i]! + (interval?.[1] ?? 0);
    worn!.data[i] = tread!.data[i]! > 0 && bald?.(across / half) ? 1 : 0;
  }
  return {
    ...{ tread: tread!, groove: groove!, depth: depth!, spread: spread!, lateral: lateral!, rotationRad },
    ...(interval ? { depthLow: low!, depthHigh: high! } : {}),
    ...(bald ? { bald: worn! } : {}),
    ...{ side: [1, 0, 0], isTread: 1, blurPx: 1, brightness: 0.5 },
    ...changes,
  };
}
