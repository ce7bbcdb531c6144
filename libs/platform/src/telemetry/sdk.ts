import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { AlwaysOffSampler, NoopSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { onStopTelemetry } from './lifecycle';
import { setMetricsSource } from './metrics';
import { observeProcess } from './process';

/** Without a collector trace ids are still made and passed on, so that logs can be joined; nothing else is recorded. */
const withoutCollector = () => ({ sampler: new AlwaysOffSampler(), spanProcessors: [new NoopSpanProcessor()] });

/**
 * Requests over HTTP and gRPC are traced by IncomingRequest and grpcClient: why is said there. Of Nest a span would name the
 * handler, which the route does already, for 30 us a request, and write down the whole address, which may be a signed one.
 * Queries are of use to a collector only: without one they would cost and show nothing.
 */
const instrumentations = () => [new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true })];

/** Prometheus gives up after 10 s: a figure that Postgres is asked for and does not tell in time is left out, and no other with it. */
const FIGURE_MS_MAX = 2_000;

function serveMetrics(exporter: PrometheusExporter): void {
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  setMetricsSource(async () => serializer.serialize((await exporter.collect({ timeoutMillis: FIGURE_MS_MAX })).resourceMetrics));
}

let started = false;

/** Once a process, before anything that is to be traced is loaded. The standard OTEL_* variables configure it. */
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
