import { take, tokensAt, type Allowance, type Bucket, type Taking } from '../domain/token-bucket';

const CALLERS_MAX = 10_000;

/** One token bucket per caller, in the memory of this process. */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly allowance: Allowance,
    private readonly callersMax = CALLERS_MAX,
  ) {}

  get size(): number {
    return this.buckets.size;
  }

  take(caller: string, nowMs: number): Taking {
    const taking = take(this.buckets.get(caller), this.allowance, nowMs);
    this.buckets.set(caller, taking.bucket);
    if (this.buckets.size > this.callersMax) this.forget(nowMs);
    return taking;
  }

  giveBack(caller: string): void {
    const bucket = this.buckets.get(caller);
    if (bucket) this.buckets.set(caller, { ...bucket, tokens: Math.min(this.allowance.burst, bucket.tokens + 1) });
  }

  /** Deletes full buckets. If none is full, it deletes the oldest tenth: too generous, but bounded. */
  private forget(nowMs: number): void {
    for (const [caller, bucket] of this.buckets)
      if (tokensAt(bucket, this.allowance, nowMs) >= this.allowance.burst) this.buckets.delete(caller);
    const kept = Math.floor(this.callersMax * 0.9);
    for (const caller of this.buckets.keys()) {
      if (this.buckets.size <= kept) return;
      this.buckets.delete(caller);
    }
  }
}
