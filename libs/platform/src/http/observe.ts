import { isUuid } from '@tire/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { logger } from '../logs/logger';
import { RequestLines } from '../logs/request-lines';
import { REQUEST_ID_HEADER, type Subject } from '../request-context';
import { IncomingRequest } from '../telemetry/incoming';
import { durationHistogram } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';
import { CLIENT_CLOSED } from './status';

declare module 'fastify' {
  interface FastifyRequest {
    arrival: IncomingRequest | null;
  }
}

/** A browser must not guess the type of an answer. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' };

const duration = durationHistogram(METRICS.httpServerDuration, 'How long requests over HTTP took');

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'unknown';

function arrivalOf(request: FastifyRequest): IncomingRequest {
  // The label is the route: the address would create a series for each report, and it contains the token of a share page.
  const route = routeOf(request);
  return new IncomingRequest({
    requestId: request.id,
    headers: request.headers as Record<string, string | undefined>,
    continuesTrace: false,
    spanName: `${request.method} ${route}`,
    attributes: { [ATTRIBUTES.httpMethod]: request.method, [ATTRIBUTES.httpRoute]: route },
    duration,
  });
}

/** What the path names. An id that cannot be one is none. */
function subjectIn({ params }: FastifyRequest): Subject {
  const { report_id: reportId = '', project_id: projectId = '' } = params as { report_id?: string; project_id?: string };
  return { ...(isUuid(reportId) ? { reportId } : {}), ...(isUuid(projectId) ? { projectId } : {}) };
}

/** Gives each request an id, a span, a duration metric and a log line. */
export function observeRequests(fastify: FastifyInstance, logRequests: boolean): void {
  const lines = logRequests ? new RequestLines(logger('http')) : undefined;
  fastify.decorateRequest('arrival', null);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id).headers(NO_SNIFFING);
    request.arrival = arrivalOf(request);
    request.arrival.concerns(subjectIn(request));
    request.arrival.run(done);
  });
  // Enters the context again: the events of a request body run in the context of the connection.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.arrival && request.body !== undefined) request.arrival.run(done);
    else done();
  });
  const end = (request: FastifyRequest, status: number): void => {
    const { arrival, method } = request;
    const durationMs = arrival?.end({ [ATTRIBUTES.httpStatus]: status }, status >= 500);
    if (durationMs !== undefined) arrival?.run(() => lines?.write({ method, route: routeOf(request), status, durationMs }));
  };
  fastify.addHook('onResponse', (request, reply, done) => (end(request, reply.statusCode), done()));
  fastify.addHook('onRequestAbort', (request, done) => (end(request, CLIENT_CLOSED), done()));
}
