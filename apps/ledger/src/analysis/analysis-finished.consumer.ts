import { EVENTS, type AnalysisFinished } from '@tire/contracts/events';
import { Consumers } from '@tire/eventing';
import { CLOCK, isSlotId, newId, type Clock } from '@tire/kernel';
import { logger } from '@tire/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { finishedAnalysis } from '../domain/analysis';
import { guessedSize } from '../domain/measurement';
import { knownHash } from '../domain/warnings';
import { analysisKind } from '../domain/work';
import { ReportCommands, FACT_PLACES } from '../reports/report.commands';
import { Dispatcher } from '../work/dispatcher';

const log = logger('ledger.analysis');

@Injectable()
export class AnalysisFinishedConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly commands: ReportCommands,
    private readonly dispatcher: Dispatcher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.analysisFinished,
      durable: 'ledger-analysis-finished',
      concurrency: FACT_PLACES,
      handle: (message) => this.handle(message),
    });
  }

  private async handle(finished: AnalysisFinished): Promise<void> {
    await this.record(finished);
    // A result that is ignored frees a worker too.
    if (isSlotId(finished.slotId)) this.dispatcher.freed(analysisKind(finished.slotId));
  }

  async record(finished: AnalysisFinished): Promise<void> {
    const { projectId, reportId, slotId } = finished;
    if (!isSlotId(slotId)) return log.warn({ report_id: reportId }, 'A result for a slot that does not exist is ignored');
    const analysis = finishedAnalysis(slotId, finished, this.clock.now());
    await this.commands.note(projectId, reportId, {
      type: 'recordAnalysis',
      analysis,
      guess: guessedSize(slotId, finished.outcome),
      imageHash: knownHash(finished.imageHash),
      revisionId: newId(),
    });
  }
}
