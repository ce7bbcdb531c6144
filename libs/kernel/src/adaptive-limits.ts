/** How a call ended: soon, late, or not before its time limit. */
export type CallOutcome = 'fast' | 'slow' | 'timeout';

export interface LimitBounds {
  readonly min: number;
  /** The limit of a key without history. */
  readonly initial: number;
  readonly max: number;
  /** The change after a timeout: the limit becomes `min`, or half. */
  readonly onTimeout: 'min' | 'halve';
}

interface State {
  readonly limit: number;
  readonly inFlight: number;
}

/** A key that is forgotten starts again at the initial limit. */
const KEYS_MAX = 10_000;

/** How many calls may be in flight at once for each key. The limit doubles after a fast call and falls after a timeout. */
export class AdaptiveLimits {
  /** The states, in the order in which their last calls ended. */
  private readonly states = new Map<string, State>();

  constructor(private readonly bounds: LimitBounds) {}

  inFlight(key: string): number {
    return this.stateOf(key).inFlight;
  }

  /** How many more calls may begin now. */
  free(key: string): number {
    const { limit, inFlight } = this.stateOf(key);
    return Math.max(0, limit - inFlight);
  }

  begin(key: string, calls = 1): void {
    const { limit, inFlight } = this.stateOf(key);
    this.states.set(key, { limit, inFlight: inFlight + calls });
  }

  end(key: string, outcome: CallOutcome): void {
    const state = this.stateOf(key);
    const limit = this.limitAfter(outcome, state.limit);
    const inFlight = state.inFlight - 1;
    this.states.delete(key);
    if (inFlight > 0 || limit !== this.bounds.initial) this.states.set(key, { limit, inFlight });
    if (this.states.size > KEYS_MAX) this.forgetOneIdle();
  }

  private limitAfter(outcome: CallOutcome, limit: number): number {
    const { min, max, onTimeout } = this.bounds;
    if (outcome === 'slow') return limit;
    if (outcome === 'fast') return Math.min(max, limit * 2);
    return onTimeout === 'min' ? min : Math.max(min, limit >> 1);
  }

  private stateOf(key: string): State {
    return this.states.get(key) ?? { limit: this.bounds.initial, inFlight: 0 };
  }

  private forgetOneIdle(): void {
    for (const [key, { inFlight }] of this.states) if (inFlight === 0) return void this.states.delete(key);
  }
}
