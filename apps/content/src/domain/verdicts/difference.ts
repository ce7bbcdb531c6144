import type { DepthInterval } from './tire-verdict';

type Measured = readonly [depthMm: number, interval: DepthInterval];

// Differences of tenths carry binary noise of about 1e-16.
const NOISE_MM = 1e-9;

/**
 * Whether two depths may differ by as much as the limit. The errors of two measurements are taken as independent, so the interval of their
 * difference has the root of the sum of the squares. In one image errors are alike, but a narrower interval would call uneven treads even: the
 * engine sees half of a difference at most (the card of tire-tread has the figures).
 */
export function mayDifferBy(limitMm: number, one: Measured, other: Measured): boolean {
  return Math.max(greatestExcess(one, other), greatestExcess(other, one)) >= limitMm - NOISE_MM;
}

const greatestExcess = ([upperMm, [, highMm]]: Measured, [lowerMm, [lowMm]]: Measured): number =>
  upperMm - lowerMm + Math.hypot(highMm - upperMm, lowerMm - lowMm);
