const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * How long to wait after so many failures in a row: twice as long each time, and a random half of it, so that phones that lost one network
 * together do not come back together. What the server asks for is the least.
 */
export function backoffMs(failures: number, random: number, askedMs = 0): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return Math.max(askedMs, whole / 2 + (whole / 2) * random);
}

/** `Retry-After` in seconds. A date needs a clock that is right, so it counts as none. */
export function askedWaitMs(header: string | null): number {
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 600) * 1_000 : 0;
}
