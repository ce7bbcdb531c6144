import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EVENTS, STREAMS, type AnalyzeImage, type EventType } from '@tire/contracts/events';
import { Consumers } from '@tire/eventing';
import { Engine } from '../engine/engine';
import { AnalysisService } from './analysis.service';
import type { Operation } from '../models/manifest';

const WORK: Record<Operation, { type: EventType<AnalyzeImage>; durable: string }> = {
  'tire.tread': { type: EVENTS.analyzeTread, durable: STREAMS.WORK_TREAD.consumer },
  'tire.sidewall': { type: EVENTS.analyzeSidewall, durable: STREAMS.WORK_SIDEWALL.consumer },
};

/**
 * One image is fetched and decoded while a batch runs, so that the session never waits. An image that waits here has its
 * turn already: one of another project that comes now is measured after it.
 */
const IN_FLIGHT_BESIDE = 1;
const ACK_WAIT_MS = 30_000;

@Injectable()
export class AnalysisConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: Consumers,
    private readonly analyses: AnalysisService,
    private readonly engine: Engine,
  ) {}

  /** Consumes only once the model is ready: a worker whose model is refused leaves the messages to other workers. */
  onModuleInit(): void {
    for (const operation of this.engine.operations) {
      void this.engine.onceReady(operation).then(({ manifest }) => this.consume(operation, manifest.batch.size));
    }
  }

  /**
   * Needs no inbox: the result carries the analysis id as its message id, and the ledger accepts the first result of the slot's current
   * analysis.
   */
  private consume(operation: Operation, batchSize: number): void {
    this.consumers.consume({
      ...WORK[operation],
      concurrency: batchSize + IN_FLIGHT_BESIDE,
      ackWaitMs: ACK_WAIT_MS,
      handle: (work, context) => this.analyses.measure(operation, work, context),
      onExhausted: (work, cause) => this.analyses.giveUp(operation, work, cause),
    });
  }
}
