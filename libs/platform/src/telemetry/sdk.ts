import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { GrpcInstrumentation } from '@opentelemetry/instrumentation-grpc';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NestInstrumentation } from '@opentelemetry/instrumentation-nestjs-core';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { AlwaysOffSampler, NoopSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { onStopTelemetry } from './lifecycle';
import { setMetricsSource } from './metrics';
import { observeProcess } from './process';

const UNTRACED_PATH = /^\/(health\/(live|ready)|metrics)([?]|$)/;

/** Without a collector trace ids are still made and passed on, so that logs can be joined; nothing else is recorded. */
const withoutCollector = () => ({ sampler: new AlwaysOffSampler(), spanProcessors: [new NoopSpanProcessor()] });

function instrumentations(exporting: boolean) {
  return [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: (request) => UNTRACED_PATH.test(request.url ?? ''),
      // Requests out (image addresses, callbacks, the collector itself) carry no trace unless the caller puts one on.
      disableOutgoingRequestInstrumentation: true,
    }),
    new GrpcInstrumentation({ ignoreGrpcMethods: [/^grpc\.health\.v1\.Health/, 'Check', 'Watch'] }),
    ...(exporting ? [new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }), new NestInstrumentation()] : []),
  ];
}

function serveMetrics(exporter: PrometheusExporter): void {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  setMetricsSource(async () => serializer.serialize((await exporter.collect()).resourceMetrics));
}

let started = false;

/** Once a process, before anything that is to be traced is loaded. The standard OTEL_* variables configure it. */
export function startTelemetry(env: NodeJS.ProcessEnv = process.env): void {
  if (started) return;
  started = true;
  const exporting = Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  const reader = new PrometheusExporter({ preventServerStart: true });
  const sdk = new NodeSDK({
    instrumentations: instrumentations(exporting),
    metricReaders: [reader],
    logRecordProcessors: [],
    ...(exporting ? { traceExporter: new OTLPTraceExporter() } : withoutCollector()),
  });
  sdk.start();
  serveMetrics(reader);
  observeProcess();
  onStopTelemetry(() => sdk.shutdown());
}
