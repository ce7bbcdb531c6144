/** So many calls a second in the long run, so many at once. */
export interface Allowance {
  readonly perSecond: number;
  readonly burst: number;
}

/** What is left of an allowance, and when that was so. Who has no bucket has a full one. */
export interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

export interface Taking {
  readonly admitted: boolean;
  readonly bucket: Bucket;
  /** Whole calls that could follow at once. */
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
  /** Until one call more is allowed; 0 where it is. */
  readonly retryAfterSeconds: number;
}

/** A clock that was set back neither fills the bucket nor stops it from filling. */
export function tokensAt(bucket: Bucket | undefined, { perSecond, burst }: Allowance, nowMs: number): number {
  if (!bucket) return burst;
  return Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1_000);
}

/** One call: it takes a token, or is refused and takes nothing, so that asking too early costs no time. */
export function take(bucket: Bucket | undefined, allowance: Allowance, nowMs: number): Taking {
  const available = tokensAt(bucket, allowance, nowMs);
  const admitted = available >= 1;
  const tokens = admitted ? available - 1 : available;
  const secondsUntil = (wanted: number): number => Math.ceil((wanted - tokens) / allowance.perSecond);
  return {
    admitted,
    bucket: { tokens, atMs: nowMs },
    remaining: Math.floor(tokens),
    resetSeconds: secondsUntil(allowance.burst),
    retryAfterSeconds: admitted ? 0 : Math.max(1, secondsUntil(1)),
  };
}
