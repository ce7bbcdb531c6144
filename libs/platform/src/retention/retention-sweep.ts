import type { Clock, RetentionKind } from '@tire/kernel';
import type { Logger } from '../logs/logger';
import { periodicTask, type RepeatedTask } from '../service/repeated-task';
import { counter, meter } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';

/** One kind of what ends with time. */
export interface Ending {
  readonly kind: RetentionKind;
  /** Removes a portion of what has to go, and returns how much that was. 0: nothing is left, or another process is at it. */
  removeSome(now: Date): Promise<number>;
  /** For how long the oldest that is still there should be gone. */
  lagS(now: Date): Promise<number>;
}

/** The lag costs one descent of an index for each project, and changes slowly. */
const LAG_FOR_MS = 60_000;
const PORTIONS_OF_TURN = 20;

/**
 * Removes what has reached its age, kind after kind and in portions, each in a short transaction of its own. It may run in several processes,
 * and end anywhere: the next sweep finds what is left. A kind that fails does not hold up the others.
 */
export class RetentionSweep {
  private readonly turns: RepeatedTask;
  private readonly removed = counter(METRICS.retentionRemoved, 'What was removed because its time was over, by kind');
  private stopped = false;
  private lags: ReadonlyMap<RetentionKind, number> = new Map();
  private lagsUntilMs = 0;

  constructor(
    private readonly endings: readonly Ending[],
    intervalMs: number,
    private readonly clock: Clock,
    private readonly log: Logger,
    /** What ends with time and is no choice of a project. */
    private readonly besides: () => Promise<void> = async () => undefined,
  ) {
    this.turns = periodicTask(intervalMs, () => this.sweep(), log);
  }

  /** The lag grows while no process sweeps, because it is read and not remembered. */
  start(isConnected: () => boolean): void {
    this.turns.start();
    const lag = meter().createObservableGauge(METRICS.retentionLag, {
      description: 'For how long the oldest that is still there should be gone, by kind',
      unit: 's',
    });
    lag.addCallback(async (result) => {
      if (isConnected()) for (const [kind, lagS] of await this.lag()) result.observe(lagS, { [ATTRIBUTES.kind]: kind });
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.turns.stop();
  }

  /** Kinds take turns, so that one with a long backlog holds up no other. */
  async sweep(): Promise<void> {
    await this.besides().catch((error: unknown) => this.failed(error));
    for (let left = this.endings; left.length > 0 && !this.stopped;) {
      const unfinished: Ending[] = [];
      for (const ending of left) if (await this.takeTurn(ending)) unfinished.push(ending);
      left = unfinished;
    }
  }

  /** In seconds by kind: what of a kind is the longest overdue. */
  async lag(): Promise<ReadonlyMap<RetentionKind, number>> {
    const now = this.clock.now();
    if (now.getTime() < this.lagsUntilMs) return this.lags;
    const lags = new Map<RetentionKind, number>();
    for (const ending of this.endings) lags.set(ending.kind, Math.max(lags.get(ending.kind) ?? 0, await ending.lagS(now)));
    this.lags = lags;
    this.lagsUntilMs = now.getTime() + LAG_FOR_MS;
    return this.lags;
  }

  /** Whether there may be more. */
  private async takeTurn(ending: Ending): Promise<boolean> {
    let [total, removed] = [0, 1];
    try {
      for (let portion = 0; portion < PORTIONS_OF_TURN && removed > 0 && !this.stopped; portion += 1) {
        removed = await ending.removeSome(this.clock.now());
        total += removed;
        if (removed > 0) this.removed.add(removed, { [ATTRIBUTES.kind]: ending.kind });
      }
    } catch (error) {
      this.failed(error, ending.kind);
      removed = 0;
    }
    if (total > 0) this.log.info({ kind: ending.kind, removed: total }, 'What reached its age is removed');
    return removed > 0;
  }

  private failed(error: unknown, kind?: RetentionKind): void {
    this.log.warn({ err: error, kind }, 'What reached its age could not be removed. The next sweep retries it.');
  }
}
