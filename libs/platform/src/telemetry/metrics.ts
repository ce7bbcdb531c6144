import { metrics, type Attributes, type Counter, type Histogram, type MetricOptions } from '@opentelemetry/api';
import type { METRICS } from './names';

export type MetricName = (typeof METRICS)[keyof typeof METRICS];

/** Buckets in seconds, the unit of Prometheus: from a hop in the cluster to a slow analysis. */
const DURATION_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const meter = () => metrics.getMeter('tire');

export const counter = (name: MetricName, description: string): Counter => meter().createCounter(name, { description });

export const durationHistogram = (name: MetricName, description: string): Histogram =>
  meter().createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: DURATION_BOUNDS_S } });

/** A gauge whose value is read when the metrics are collected. */
export function observe(name: MetricName, options: MetricOptions, read: () => { value: number; attributes?: Attributes }[]): void {
  meter()
    .createObservableGauge(name, options)
    .addCallback((result) => {
      for (const { value, attributes } of read()) result.observe(value, attributes);
    });
}

let source: () => Promise<string> = async () => '';

/** The telemetry set-up sets this, so that no other module loads the SDK. */
export function setMetricsSource(read: () => Promise<string>): void {
  source = read;
}

/** All metrics in the text format of Prometheus. Empty if telemetry is off. */
export const metricsText = (): Promise<string> => source();
