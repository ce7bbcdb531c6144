import { EVENTS, type PublicationChanged } from '@tire/contracts';
import { Consumers } from '@tire/eventing';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isPublicationStatus } from './domain/status';
import { ReportCommands } from './report.commands';

@Injectable()
export class PublicationChangedConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly commands: ReportCommands,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.publicationChanged,
      durable: 'ledger-publication-changed',
      handle: (message) => this.handle(message),
    });
  }

  async handle({ projectId, reportId, version, publicationStatus: status, publishedAt, linkActive }: PublicationChanged): Promise<void> {
    if (!isPublicationStatus(status)) throw new Error(`No publication status: ${status}`);
    await this.commands.note(projectId, reportId, {
      type: 'recordPublication',
      publication: { version, status, publishedAt: publishedAt ?? null, linkActive },
    });
  }
}
