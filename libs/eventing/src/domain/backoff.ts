const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 60_000;

/** Doubles with each attempt. The jitter separates messages that failed together. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(delayMs * (0.75 + random() * 0.25));
}
