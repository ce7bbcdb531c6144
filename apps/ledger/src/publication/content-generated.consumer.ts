import { EVENTS, type ContentGenerated } from '@tire/contracts/events';
import { Consumers } from '@tire/eventing';
import { isVerdict } from '@tire/kernel';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReportCommands } from '../reports/report.commands';

@Injectable()
export class ContentGeneratedConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly commands: ReportCommands,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.contentGenerated,
      durable: 'ledger-content-generated',
      handle: (message) => this.handle(message),
    });
  }

  async handle(message: ContentGenerated): Promise<void> {
    const { projectId, reportId, analysisRevision, contentRevision, etag, errorCode } = message;
    const verdict = isVerdict(message.verdict) ? message.verdict : null;
    const outcome =
      contentRevision === '' ? { kind: 'failed' as const, errorCode } : { kind: 'ready' as const, contentRevision, etag, verdict };
    await this.commands.note(projectId, reportId, { type: 'recordContent', content: { analysisRevision, outcome } });
  }
}
