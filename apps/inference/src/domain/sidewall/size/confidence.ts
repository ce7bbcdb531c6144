/** A line from the log odds of a score to the log odds that the reading is right. */
export interface ConfidenceLine {
  readonly slope: number;
  readonly intercept: number;
}

/** No number of readings proves more. */
const MAX_PROBABILITY = 0.999;
export const logOdds = (score: number) => {
  const held = Math.min(MAX_PROBABILITY, Math.max(1 - MAX_PROBABILITY, score));
  return Math.log(held / (1 - held));
};
export const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** The share of readings with this score that are right. */
export const probabilityOf = (score: number, { slope, intercept }: ConfidenceLine): number => sigmoid(slope * logOdds(score) + intercept);
