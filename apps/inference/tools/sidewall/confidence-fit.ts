import { logOdds, sigmoid, type ConfidenceLine } from '../../src/domain/sidewall/size/confidence';

export interface ScoredReading {
  readonly confidence: number;
  readonly right: boolean;
}

const ROUNDS = 50;
/**
 * Damps the fit as ten readings at the score itself would, so that readings that are all right do not make the line steep without bound.
 */
const DAMPING = 0.5;
const MIN_SLOPE = 0.05;

/** Logistic regression by Newton's method. */
export function fitConfidence(readings: readonly ScoredReading[]): ConfidenceLine {
  let [slope, intercept] = [1, 0];
  for (let round = 0; round < ROUNDS; round++) {
    let [g0, g1, h00, h01, h11] = [-DAMPING * intercept, DAMPING * (1 - slope), DAMPING, 0, DAMPING];
    for (const { confidence, right } of readings) {
      const x = logOdds(confidence);
      const p = sigmoid(slope * x + intercept);
      const [off, weight] = [(right ? 1 : 0) - p, p * (1 - p)];
      [g0, g1] = [g0 + off, g1 + off * x];
      [h00, h01, h11] = [h00 + weight, h01 + weight * x, h11 + weight * x * x];
    }
    const determinant = h00 * h11 - h01 * h01;
    const [up, steeper] = [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant];
    intercept += clipped(up);
    slope = Math.max(MIN_SLOPE, slope + clipped(steeper));
  }
  return { slope, intercept };
}

/** Limits a Newton step, which may overshoot. */
const clipped = (step: number) => Math.min(1, Math.max(-1, step));

export interface ReliabilityRow {
  readonly from: number;
  readonly count: number;
  readonly meanConfidence: number;
  readonly rightShare: number;
}

const BINS = 10;

/** Readings by claimed confidence, in tenths; empty bins are left out. */
export function reliabilityOf(readings: readonly ScoredReading[]): ReliabilityRow[] {
  const bins = Array.from({ length: BINS }, (): ScoredReading[] => []);
  for (const reading of readings) bins[Math.min(BINS - 1, Math.floor(reading.confidence * BINS + 1e-9))]!.push(reading);
  return bins
    .map((bin, i) => ({
      from: i / BINS,
      count: bin.length,
      meanConfidence: bin.reduce((sum, { confidence }) => sum + confidence, 0) / bin.length,
      rightShare: bin.filter(({ right }) => right).length / bin.length,
    }))
    .filter(({ count }) => count > 0);
}

/** The lowest confidence above which at most this share is wrong; 1 where there is none. */
export function leastConfidence(readings: readonly ScoredReading[], maxWrongShare: number): number {
  let [least, wrong] = [1, 0];
  const falling = readings.toSorted((a, b) => b.confidence - a.confidence);
  falling.forEach(({ confidence, right }, i) => {
    wrong += right ? 0 : 1;
    const isLastOfEqual = falling[i + 1]?.confidence !== confidence;
    if (isLastOfEqual && wrong <= maxWrongShare * (i + 1)) least = confidence;
  });
  return least;
}
