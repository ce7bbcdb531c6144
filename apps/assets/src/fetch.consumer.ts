import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EVENTS } from '@tire/contracts';
import { Consumers } from '@tire/eventing';
import { FetchAnswers } from './fetch.answers';
import { FetchService } from './fetch.service';

/** Bounded by memory: each holds one image of at most 20 MB. */
const FETCHES_AT_ONCE = 8;

@Injectable()
export class FetchConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly fetcher: FetchService,
    private readonly answers: FetchAnswers,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.fetchImage,
      durable: 'assets-fetch',
      concurrency: FETCHES_AT_ONCE,
      handle: (work, { signal }) => this.fetcher.fetch(work, signal),
      onExhausted: async (work) => void (await this.answers.failed(work, 'image_unreachable')),
    });
  }
}
