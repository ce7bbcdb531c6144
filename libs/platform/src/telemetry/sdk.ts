import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { AlwaysOffSampler, NoopSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { onStopTelemetry } from './lifecycle';
import { setMetricsSource } from './metrics';
import { observeProcess } from './process';

/** Without a collector trace ids are still created and propagated, so that logs can be joined. Nothing else is recorded. */
const withoutCollector = () => ({ sampler: new AlwaysOffSampler(), spanProcessors: [new NoopSpanProcessor()] });

/**
 * IncomingRequest and grpcClient trace HTTP and gRPC; the reason is in incoming.ts. A span of Nest would only name the handler, as the
 * route does already. It would cost 30 us a request and record the whole address, which may be a signed one. Query spans are useful with a
 * collector only.
 */
const instrumentations = () => [new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true })];

/** Prometheus waits 10 s at most. A gauge whose query takes longer is left out alone; the others are still collected. */
const FIGURE_MS_MAX = 2_000;

function serveMetrics(exporter: PrometheusExporter): void {
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  setMetricsSource(async () => serializer.serialize((await exporter.collect({ timeoutMillis: FIGURE_MS_MAX })).resourceMetrics));
}

let started = false;

/** Call once, before any traced module is loaded. The standard OTEL_* variables configure it. */
export function startTelemetry(env: NodeJS.ProcessEnv = process.env): void {
  if (started) return;
  started = true;
  const exporting = Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  const reader = new PrometheusExporter({ preventServerStart: true });
  const sdk = new NodeSDK({
    metricReaders: [reader],
    logRecordProcessors: [],
    ...(exporting ? { traceExporter: new OTLPTraceExporter(), instrumentations: instrumentations() } : withoutCollector()),
  });
  sdk.start();
  serveMetrics(reader);
  observeProcess();
  onStopTelemetry(() => sdk.shutdown());
}
