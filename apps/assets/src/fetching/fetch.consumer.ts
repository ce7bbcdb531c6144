import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EVENTS, STREAMS, type FetchImage } from '@tire/contracts/events';
import { Consumers, NotNow } from '@tire/eventing';
import type { CallOutcome } from '@tire/kernel';
import { AssetUsage } from '../assets/asset-usage';
import { FAST_MS, IN_HAND_MAX, keepsPlaceMs, retryMs } from '../domain/fetch-queue';
import { FetchResults } from './fetch.results';
import { FetchPlaces } from './fetch.places';
import { FetchService } from './fetch.service';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

@Injectable()
export class FetchConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly fetcher: FetchService,
    private readonly results: FetchResults,
    private readonly places: FetchPlaces,
    private readonly usage: AssetUsage,
  ) {}

  onModuleInit(): void {
    this.consumers.consume({
      type: EVENTS.fetchImage,
      durable: STREAMS.WORK_FETCH.consumer,
      concurrency: IN_HAND_MAX,
      handle: (work, { signal, deliveryCount }) => this.fetchInPlace(work, signal, deliveryCount),
      onExhausted: (work) => this.results.publishFailed(work, 'image_unreachable'),
    });
  }

  private async fetchInPlace(work: FetchImage, signal: AbortSignal, deliveryCount: number): Promise<void> {
    // In the sandbox slow addresses are slow on purpose: they hold up their own project, and no other.
    const host = work.sandbox === undefined ? hostOf(work.url) : `sandbox ${work.projectId}`;
    const leave = await this.places.enter({ projectId: work.projectId, host }, signal);
    if (!leave) throw new NotNow(retryMs(deliveryCount));
    let outcome: CallOutcome = 'slow';
    let keptMs = 0;
    try {
      const beganMs = performance.now();
      if (await this.usage.isAbandoned(work)) return;
      const errorCode = await this.fetcher.fetch(work, signal);
      const tookMs = performance.now() - beganMs;
      if (errorCode) keptMs = keepsPlaceMs(tookMs);
      // A failure on purpose tells nothing of a host.
      if (errorCode === 'image_fetch_timeout' && work.sandbox === undefined) outcome = 'timeout';
      else if (tookMs < FAST_MS) outcome = 'fast';
    } finally {
      leave(outcome, keptMs);
    }
  }
}
