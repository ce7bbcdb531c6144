import { EVENTS, type AnalysisFinished } from '@tire/contracts';
import { Consumers } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { slotOutcome } from '../domain/measurement';
import { ReportCommands } from '../reports/report.commands';

@Injectable()
export class AnalysisFinishedConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly commands: ReportCommands,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.analysisFinished,
      durable: 'ledger-analysis-finished',
      handle: (message) => this.handle(message),
    });
  }

  async handle(finished: AnalysisFinished): Promise<void> {
    const { projectId, reportId, slotId, analysisId, completedAt, model, outcome, retakeReasons } = finished;
    await this.commands.note(projectId, reportId, {
      type: 'recordAnalysis',
      slotId,
      analysisId,
      outcome: slotOutcome(slotId, outcome, retakeReasons),
      model,
      completedAt,
      revisionId: newId(),
    });
  }
}
