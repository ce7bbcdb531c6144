import { Injectable } from '@nestjs/common';
import type { AnalysisErrorCode } from '@tire/kernel';
import { ATTRIBUTES, counter, durationHistogram, METRICS } from '@tire/platform';
import type { Operation } from './models/manifest';

export type Stage = 'fetch' | 'decode' | 'model' | 'post';

/** What the worker tells about its own work. */
@Injectable()
export class Measures {
  private readonly stages = durationHistogram(METRICS.inferenceStage, 'Time in one stage of an analysis');
  private readonly ages = durationHistogram(METRICS.inferenceQueueAge, 'From asking for an analysis to starting it');
  private readonly failures = counter(METRICS.inferenceFailures, 'Analyses that ended with a public error code');

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
}
