import { recordedMeasurements } from '@tire/contracts/sandbox';
import type { AnalysisFinished } from '@tire/contracts/events';
import { CLOCK, isSandboxName, parseSlotId, sandboxFault, type Clock } from '@tire/kernel';
import { Database, logger, RepeatedTask } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AnalysisFinishedConsumer } from '../analysis/analysis-finished.consumer';
import { SANDBOX_MODEL, sandboxModel } from '../domain/sandbox';
import { Dispatcher } from '../work/dispatcher';
import { dueAnswers, type DueAnswer } from './sandbox.store';

const log = logger('ledger.sandbox');

/** Finds what is late on purpose, and what another process left. What this process adds is answered at once, by a nudge. */
const IDLE_MS = 1_000;
const ANSWERS_AT_ONCE = 32;

/**
 * Answers for the models where the image is a well-known photograph. Such a slot waits in the table like any other, but no worker gets it: a
 * result that is late holds no place. Nothing is claimed. The fence of the attempt makes a second answer, of another process or after a crash,
 * one without effect.
 */
@Injectable()
export class SandboxAnswers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly recorded = recordedMeasurements();
  private readonly task = new RepeatedTask(() => this.turn());

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
      return due.length > 0 && answered.every(Boolean) ? 0 : IDLE_MS;
    } catch (error) {
      log.warn({ err: error }, 'Well-known photographs could not be answered; retrying');
      return IDLE_MS;
    }
  }

  /** False where the answer was not recorded. The others go on, and this one is tried again. */
  private async answer(slot: DueAnswer): Promise<boolean> {
    try {
      await this.results.record(this.resultOf(slot));
      return true;
    } catch (error) {
      log.warn({ err: error, report_id: slot.reportId, slot_id: slot.slotId }, 'A well-known photograph could not be answered; retrying');
      return false;
    }
  }

  private resultOf({ projectId, reportId, slotId, analysisId, sandbox, before }: DueAnswer): AnalysisFinished {
    const result = { projectId, reportId, slotId, analysisId, completedAt: this.clock.now().toISOString() };
    // An earlier release had the photograph.
    if (!isSandboxName(sandbox)) return { ...result, model: '', outcome: failed('analysis_failed'), retakeReasons: [] };
    const model = sandboxModel(sandbox);
    const fault = sandboxFault(sandbox, parseSlotId(slotId).image_type, before);
    if (fault) return { ...result, model, outcome: failed(fault.errorCode), retakeReasons: fault.retakeReason ? [fault.retakeReason] : [] };
    const measured = this.recorded.get(sandbox);
    if (!measured) throw new Error(`Nothing is recorded of ${sandbox}`);
    const { outcome, retakeReasons, imageHash } = measured;
    return { ...result, model, outcome, retakeReasons, imageHash };
  }
}

const failed = (errorCode: string): AnalysisFinished['outcome'] => ({ $case: 'errorCode', value: errorCode });
