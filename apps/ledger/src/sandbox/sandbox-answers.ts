import { recordedMeasurements } from '@tire/contracts/sandbox';
import type { AnalysisFinished } from '@tire/contracts/events';
import { CLOCK, DomainError, isSandboxName, parseSlotId, sandboxFault, type Clock } from '@tire/kernel';
import { counter, Database, logger, METRICS, RepeatedTask } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AnalysisFinishedConsumer } from '../analysis/analysis-finished.consumer';
import { SANDBOX_MODEL, sandboxModel } from '../domain/sandbox';
import { Dispatcher } from '../work/dispatcher';
import { dueAnswers, type DueAnswer } from './sandbox.store';

const log = logger('ledger.sandbox');

/** Finds what is late on purpose, and what another process left. What this process adds is answered at once, by a nudge. */
const IDLE_MS = 1_000;
const ANSWERS_AT_ONCE = 32;
/** An answer that fails so often in one process fails for its own reason. Its slot ends then: a report never waits for ever. */
const FAILURES_MAX = 5;

/**
 * Answers for the models where the image is a well-known photograph. Such a slot waits in the table like any other, but no worker gets it: a
 * result that is late holds no place. Nothing is claimed. The fence of the attempt makes a second answer, of another process or after a crash,
 * one without effect.
 */
@Injectable()
export class SandboxAnswers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly recorded = recordedMeasurements();
  private readonly task = new RepeatedTask(() => this.turn());
  private readonly givenUp = counter(METRICS.sandboxAnswersGivenUp, 'Well-known photographs whose recorded result could not be given');
  /** How often the last answers failed, by analysis. No more than one turn has. */
  private failures: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly database: Database,
    private readonly results: AnalysisFinishedConsumer,
    private readonly dispatcher: Dispatcher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.dispatcher.onSandboxNudge(() => this.task.nudge());
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async turn(): Promise<number> {
    if (!this.database.dataSource.isInitialized) return IDLE_MS;
    try {
      const due = await dueAnswers(this.database, this.clock.now(), ANSWERS_AT_ONCE, SANDBOX_MODEL);
      const answered = await Promise.all(due.map((slot) => this.answer(slot)));
      const counts = due.map(
        ({ analysisId }, index) => [analysisId, this.failuresOf(analysisId) + (answered[index] === 'failed' ? 1 : 0)] as const,
      );
      this.failures = new Map(counts.filter((_, index) => answered[index] !== 'recorded'));
      return due.length > 0 && answered.every((one) => one === 'recorded') ? 0 : IDLE_MS;
    } catch (error) {
      log.warn({ err: error }, 'Well-known photographs could not be answered; retrying');
      return IDLE_MS;
    }
  }

  /** An answer that is not recorded is tried again, and the others go on. A database that is unavailable is no failure of the answer. */
  private async answer(slot: DueAnswer): Promise<'recorded' | 'failed' | 'unavailable'> {
    const isGivenUp = this.failuresOf(slot.analysisId) >= FAILURES_MAX;
    try {
      await this.results.record(isGivenUp ? failedResult(slot, this.clock.now()) : this.resultOf(slot));
      if (isGivenUp) this.givenUp.add(1);
      return 'recorded';
    } catch (error) {
      log.warn({ err: error, report_id: slot.reportId, slot_id: slot.slotId }, 'A well-known photograph could not be answered; retrying');
      return error instanceof DomainError && error.code === 'service_unavailable' ? 'unavailable' : 'failed';
    }
  }

  private failuresOf(analysisId: string): number {
    return this.failures.get(analysisId) ?? 0;
  }

  private resultOf(slot: DueAnswer): AnalysisFinished {
    const { slotId, sandbox, before } = slot;
    // An earlier release had the photograph.
    if (!isSandboxName(sandbox)) return failedResult(slot, this.clock.now());
    const result = resultAt(slot, this.clock.now());
    const model = sandboxModel(sandbox);
    const fault = sandboxFault(sandbox, parseSlotId(slotId).image_type, before);
    if (fault) return { ...result, model, outcome: failed(fault.errorCode), retakeReasons: fault.retakeReason ? [fault.retakeReason] : [] };
    const measured = this.recorded.get(sandbox);
    if (!measured) throw new Error(`Nothing is recorded of ${sandbox}`);
    const { outcome, retakeReasons, imageHash } = measured;
    return { ...result, model, outcome, retakeReasons, imageHash };
  }
}

const resultAt = ({ projectId, reportId, slotId, analysisId }: DueAnswer, now: Date) => ({
  ...{ projectId, reportId, slotId, analysisId },
  completedAt: now.toISOString(),
});

const failedResult = (slot: DueAnswer, now: Date): AnalysisFinished => ({
  ...resultAt(slot, now),
  ...{ model: '', outcome: failed('analysis_failed'), retakeReasons: [] },
});

const failed = (errorCode: string): AnalysisFinished['outcome'] => ({ $case: 'errorCode', value: errorCode });
