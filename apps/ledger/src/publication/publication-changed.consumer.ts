import { EVENTS } from '@tire/contracts/events';
import { Consumers } from '@tire/eventing';
import { onBehalfOf } from '@tire/platform';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { recordPublication } from './publication.service';
import { ReportCommands } from '../reports/report.commands';

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
      handle: (message) =>
        onBehalfOf(message.actor, () => this.commands.note(message.projectId, message.reportId, recordPublication(message))),
    });
  }
}
