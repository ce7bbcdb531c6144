import type { TreadMeasurement } from '@tire/contracts/events';

export type DepthInterval = TreadMeasurement['individualDepthInterval'][number];

/** From what the network gives to what a gauge reads. Depth and both ends of its interval move together. */
export interface DepthCalibration {
  readonly depthScale: number;
  readonly depthOffsetMm: number;
  /** How far the ends are from the depth: the network's distances times a scale, plus an offset. */
  readonly intervalLowScale: number;
  readonly intervalHighScale: number;
  readonly intervalOffsetMm: number;
  /** Depths of deep treads are too low: what the upper end gains for each millimetre of depth above the first number. */
  readonly intervalHighFromMm: number;
  readonly intervalHighSlope: number;
  /** An image with less confidence is less like the training data; its interval is wider in the inverse proportion, up to a limit. */
  readonly intervalSureConfidence: number;
}

/** A wider interval is of no use. */
const WIDEST = 2;

const rounded = (value: number) => Math.round(value * 100) / 100;

export const depthOf = (networkMm: number, { depthScale, depthOffsetMm }: DepthCalibration): number =>
  rounded(Math.max(0, depthScale * networkMm + depthOffsetMm));

export const widening = (confidence: number, { intervalSureConfidence }: DepthCalibration): number =>
  Math.min(WIDEST, Math.max(1, intervalSureConfidence / Math.max(1e-6, confidence)));

/** The 90 % interval of a depth that `depthOf` gave. It always contains the depth. */
export function intervalOf(
  depthMm: number,
  [low, high]: readonly [low: number, high: number],
  wider: number,
  calibration: DepthCalibration,
): DepthInterval {
  const { intervalLowScale, intervalHighScale, intervalOffsetMm, intervalHighFromMm, intervalHighSlope } = calibration;
  const below = Math.max(0, depthMm - depthOf(low, calibration));
  const above = Math.max(0, depthOf(high, calibration) - depthMm);
  const raisedMm = intervalHighSlope * Math.max(0, depthMm - intervalHighFromMm);
  return {
    lowMm: Math.min(depthMm, rounded(Math.max(0, depthMm - wider * Math.max(0, intervalLowScale * below + intervalOffsetMm)))),
    highMm: Math.max(depthMm, rounded(depthMm + wider * Math.max(0, intervalHighScale * above + intervalOffsetMm) + raisedMm)),
  };
}
