import { Injectable } from '@nestjs/common';
import type { AnalysisErrorCode } from '@tire/kernel';
import { ATTRIBUTES, counter, durationHistogram, meter, METRICS, observe } from '@tire/platform';
import type { EngineEvents } from '../engine/engine';
import type { Refusal } from '../engine/job-queue';
import type { Operation } from '../models/manifest';

export type Stage = 'fetch' | 'decode' | 'model' | 'post';

/** The metrics of a worker. */
@Injectable()
export class Metrics implements EngineEvents {
  private readonly stages = durationHistogram(METRICS.inferenceStage, 'Time in one stage of an analysis');
  private readonly ages = durationHistogram(METRICS.inferenceQueueAge, 'From the request of an analysis to its first start');
  private readonly failures = counter(METRICS.inferenceFailures, 'Analyses that ended with a public error code');
  private readonly refusals = counter(METRICS.inferenceRefusals, 'Images that the queue of a model rejected');
  private readonly swaps = counter(METRICS.inferenceSwaps, 'Model versions that took over or were refused');
  private readonly batches = meter().createHistogram(METRICS.inferenceBatchSize, {
    description: 'Images in one run of a model',
    advice: { explicitBucketBoundaries: [1, 2, 4, 8, 16, 32, 64] },
  });

  stage(operation: Operation, stage: Stage, durationMs: number): void {
    this.stages.record(durationMs / 1000, { [ATTRIBUTES.kind]: operation, [ATTRIBUTES.stage]: stage });
  }

  async timed<T>(operation: Operation, stage: Stage, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.stage(operation, stage, performance.now() - started);
    }
  }

  queueAge(operation: Operation, ageMs: number): void {
    this.ages.record(Math.max(0, ageMs) / 1000, { [ATTRIBUTES.kind]: operation });
  }

  failed(operation: Operation, errorCode: AnalysisErrorCode): void {
    this.failures.add(1, { [ATTRIBUTES.kind]: operation, [ATTRIBUTES.errorCode]: errorCode });
  }

  batchSent(operation: Operation, batchSize: number): void {
    this.batches.record(batchSize, { [ATTRIBUTES.kind]: operation });
  }

  rejected(operation: Operation, reason: Refusal): void {
    this.refusals.add(1, { [ATTRIBUTES.kind]: operation, [ATTRIBUTES.reason]: reason });
  }

  swapped(operation: Operation, outcome: 'taken' | 'refused'): void {
    this.swaps.add(1, { [ATTRIBUTES.kind]: operation, [ATTRIBUTES.outcome]: outcome });
  }

  watchRefusals(read: () => { operation: Operation; isRefused: boolean }[]): void {
    observe(METRICS.modelsRefused, { description: 'Whether the model in the repository is refused (1)' }, () =>
      read().map(({ operation, isRefused }) => ({ value: isRefused ? 1 : 0, attributes: { [ATTRIBUTES.kind]: operation } })),
    );
  }

  watchQueue(read: () => { operation: Operation; count: number }[]): void {
    observe(METRICS.inferenceWaiting, { description: 'Images that wait for their model' }, () =>
      read().map(({ operation, count }) => ({ value: count, attributes: { [ATTRIBUTES.kind]: operation } })),
    );
  }
}
