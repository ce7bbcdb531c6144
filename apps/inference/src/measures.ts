import { Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';
import type { Operation } from './models/manifest';

export type Stage = 'fetch' | 'decode' | 'model' | 'post';

/** What the worker tells about its own work. */
@Injectable()
export class Measures {
  private readonly meter = metrics.getMeter('inference');
  private readonly stages = this.meter.createHistogram('tire.inference.stage.duration', {
    unit: 'ms',
    description: 'Time in one stage of an analysis.',
  });
  private readonly ages = this.meter.createHistogram('tire.inference.queue.age', {
    unit: 'ms',
    description: 'From asking for an analysis to starting it.',
  });
  private readonly outcomes = this.meter.createCounter('tire.inference.analyses', {
    description: 'Analyses ended, by public error code or none.',
  });

  stage(operation: Operation, stage: Stage, durationMs: number): void {
    this.stages.record(durationMs, { operation, stage });
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
    this.ages.record(Math.max(0, ageMs), { operation });
  }

  finished(operation: Operation, errorCode: string): void {
    this.outcomes.add(1, { operation, error_code: errorCode });
  }
}
