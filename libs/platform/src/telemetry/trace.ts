import {
  type Attributes,
  type Context,
  context,
  isValidTraceId,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isError } from '../is-error';

const tracer = () => trace.getTracer('tire');

/** The current trace as W3C headers, for a message, an outbox row or a request. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

async function inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, parent: Context, work: () => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.recordException(isError(error) ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs work as part of the trace in the headers, or of a new trace if there is none. */
export const withRemoteTrace = <T>(
  headers: Record<string, string>,
  spanName: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> => inSpan(spanName, SpanKind.CONSUMER, attributes, propagation.extract(ROOT_CONTEXT, headers), work);

/** Runs a request to another process as part of the current trace. */
export const inClientSpan = <T>(spanName: string, work: () => Promise<T>): Promise<T> =>
  inSpan(spanName, SpanKind.CLIENT, {}, context.active(), work);

/** Null if nothing is traced: an id of zeros is no trace. */
export function currentTraceId(): string | null {
  const span = trace.getActiveSpan()?.spanContext();
  return span && isValidTraceId(span.traceId) ? span.traceId : null;
}

export function currentTrace(): { traceId: string; spanId: string } | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span && { traceId: span.traceId, spanId: span.spanId };
}
