import type { StackFile } from '../stack-file';
import type { Sample } from '../samples';

/** One attack of a tenant, and what it costs another one. Each is in a file `row-<number>.ts` that exports it as `row`. */
export interface NeighbourRow {
  readonly number: number;
  readonly attack: string;
  /**
   * What the attack needs is made once. The function that it resolves with is one round of the attack, until its end. Absent for an attack
   * that lasts for longer than a bench: it cannot run beside others.
   */
  prepare?(world: NeighbourWorld): Promise<() => Promise<unknown>>;
  measure(world: NeighbourWorld): Promise<NeighbourResult>;
}

/** A running system of its own, and two organizations with a key each. */
export interface NeighbourWorld {
  readonly baseUrl: string;
  readonly shareUrl: string;
  readonly imagesOrigin: string;
  readonly victim: Caller;
  readonly attacker: Caller;
  /** Every process of the system by name. A restarted process has a new pid. */
  readonly pids: Record<string, number>;
  readonly stack: StackFile;
  /** A rendered photograph for each of the eight slots. */
  readonly samples: readonly Sample[];
  rssMib(service: string): Promise<number>;
  /** The most since the row began. */
  peakRssMib(service: string): Promise<number>;
  /** The memory limit of the service's pod in the chart. */
  limitMib(service: string): Promise<number>;
}

export interface Caller {
  readonly key: string;
  readonly projectId: string;
}

export interface NeighbourResult {
  readonly aloneMs: number;
  readonly besideMs: number;
  /** The largest allowed besideMs / aloneMs. */
  readonly goal: number;
  /** Requests and slots of the victim that failed. */
  readonly failedForVictim: number;
  readonly memory?: { readonly mib: number; readonly limitMib: number };
}
