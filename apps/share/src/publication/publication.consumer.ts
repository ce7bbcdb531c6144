import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EVENTS } from '@tire/contracts/events';
import { Consumers } from '@tire/eventing';
import { PublicationService } from './publication.service';

@Injectable()
export class PublicationConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly publications: PublicationService,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.analysisEnded,
      durable: 'share-analysis-ended',
      handle: (message) => this.publications.analysisEnded(message),
    });
    this.consumers.consume({
      type: EVENTS.contentGenerated,
      durable: 'share-content-generated',
      handle: (message) => this.publications.contentGenerated(message),
    });
    this.consumers.consume({
      type: EVENTS.captureFinished,
      durable: 'share-capture-finished',
      handle: (message) => this.publications.captureFinished(message),
    });
  }
}
