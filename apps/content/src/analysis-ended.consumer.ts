import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EVENTS } from '@tire/contracts';
import { Consumers } from '@tire/eventing';
import { ContentService } from './content.service';

@Injectable()
export class AnalysisEndedConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly content: ContentService,
  ) {}

  /** No inbox: one outcome per analysis revision is the fence, and a message that comes again must be answered again. */
  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.analysisEnded,
      durable: 'content-analysis-ended',
      handle: (message) => this.content.analysisEnded(message),
    });
  }
}
