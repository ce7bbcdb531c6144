/** A sustained rate, and a burst. */
export interface Allowance {
  readonly perSecond: number;
  readonly burst: number;
}

/** The tokens at a time. A caller without a bucket has a full one. */
export interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

export interface Taking {
  readonly admitted: boolean;
  readonly bucket: Bucket;
  /** Requests that may follow immediately. */
  readonly remaining: number;
  /** The time until the bucket is full again. */
  readonly resetSeconds: number;
  /** The time until the next request is allowed; 0 if it is allowed now. */
  readonly retryAfterSeconds: number;
}

/** A clock that is set back neither fills the bucket nor stops it from filling. */
export function tokensAt(bucket: Bucket | undefined, { perSecond, burst }: Allowance, nowMs: number): number {
  if (!bucket) return burst;
  return Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1_000);
}

/** A request takes a token, or it is refused and takes nothing, so that an early retry does not delay the refill. */
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
