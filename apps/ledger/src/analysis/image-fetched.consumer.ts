import { EVENTS, type ImageFetched } from '@tire/contracts/events';
import { Consumers } from '@tire/eventing';
import { isAnalysisErrorCode, newId, type AnalysisErrorCode } from '@tire/kernel';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { knownSha256 } from '../domain/warnings';
import { ReportCommands, FACT_PLACES } from '../reports/report.commands';

/** An image is stored, or could not be fetched: its slot continues with the analysis, or fails. */
@Injectable()
export class ImageFetchedConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly commands: ReportCommands,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.imageFetched,
      durable: 'ledger-image-fetched',
      concurrency: FACT_PLACES,
      handle: (message) => this.handle(message),
    });
  }

  async handle({ projectId, reportId, slotId, assetId, analysisId, errorCode, sha256 }: ImageFetched): Promise<void> {
    await this.commands.note(projectId, reportId, {
      type: 'recordFetch',
      slotId,
      assetId,
      errorCode: errorCode === '' ? null : publicCode(errorCode),
      analysisId,
      sha256: knownSha256(sha256),
      revisionId: newId(),
    });
  }
}

const publicCode = (code: string): AnalysisErrorCode => (isAnalysisErrorCode(code) ? code : 'analysis_failed');
