import { EVENTS } from '@tire/contracts/events';
import { Consumers } from '@tire/eventing';
import { onBehalfOf } from '@tire/platform';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PublicationService } from './publication.service';

@Injectable()
export class PublicationChangedConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly publication: PublicationService,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.publicationChanged,
      durable: 'ledger-publication-changed',
      handle: (message) => onBehalfOf(message.actor, () => this.publication.changed(message)),
    });
  }
}
