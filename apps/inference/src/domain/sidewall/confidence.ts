/** The line between a score's log odds and those of its being right. */
export interface ConfidenceLine {
  readonly slope: number;
  readonly intercept: number;
}

/** What no number of readings proves. */
const SUREST = 0.999;
export const logOdds = (score: number) => {
  const held = Math.min(SUREST, Math.max(1 - SUREST, score));
  return Math.log(held / (1 - held));
};
export const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** How often a reading of this score is right, of many. */
export const probabilityOf = (score: number, { slope, intercept }: ConfidenceLine): number => sigmoid(slope * logOdds(score) + intercept);
