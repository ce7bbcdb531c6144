import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EVENTS } from '@tire/contracts/events';
import { Consumers } from '@tire/eventing';
import { ContentService } from './content.service';

@Injectable()
export class AnalysisEndedConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly content: ContentService,
  ) {}

  /** A repeated message is safe: there is one outcome per analysis revision, and each delivery publishes it again. */
  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.analysisEnded,
      durable: 'content-analysis-ended',
      handle: (message) => this.content.analysisEnded(message),
    });
  }
}
