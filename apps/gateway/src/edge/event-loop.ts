import { calm, isCongested, sampled } from '../domain/congestion';

const SAMPLE_MS = 20;

/**
 * Detects an event loop that is so late that a new request would wait too long. A timer is late exactly as a request is, and costs 50
 * calls a second; the histograms of perf_hooks would have to be reset to show the present only.
 */
export class EventLoop {
  private state = calm;
  private expectedMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    /** 0: never congested. */
    private readonly lagMsMax: number,
  ) {}

  get congested(): boolean {
    return isCongested(this.state);
  }

  watch(): void {
    if (this.lagMsMax === 0) return;
    this.expectedMs = performance.now() + SAMPLE_MS;
    this.timer = setInterval(() => this.sample(performance.now()), SAMPLE_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(nowMs: number): void {
    this.state = sampled(this.state, nowMs - this.expectedMs, this.lagMsMax);
    this.expectedMs = nowMs + SAMPLE_MS;
  }
}
