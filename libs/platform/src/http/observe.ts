import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REQUEST_ID_HEADER } from '../request-context';
import { IncomingRequest } from '../telemetry/incoming';
import { durationHistogram } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';

declare module 'fastify' {
  interface FastifyRequest {
    arrival: IncomingRequest | null;
  }
}

/** The client closed the connection before the answer, as in nginx. */
export const CLIENT_CLOSED = 499;
/** A browser must not guess the type of an answer. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' };

const duration = durationHistogram(METRICS.httpServerDuration, 'How long requests over HTTP took');

function arrivalOf(request: FastifyRequest): IncomingRequest {
  // The label is the route: the address would create a series for each report, and it contains the token of a share page.
  const route = request.routeOptions.url ?? 'unknown';
  return new IncomingRequest({
    requestId: request.id,
    headers: request.headers as Record<string, string | undefined>,
    continuesTrace: false,
    spanName: `${request.method} ${route}`,
    attributes: { [ATTRIBUTES.httpMethod]: request.method, [ATTRIBUTES.httpRoute]: route },
    duration,
  });
}

/** Gives each request an id, a span and a duration metric. */
export function observeRequests(fastify: FastifyInstance): void {
  fastify.decorateRequest('arrival', null);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id).headers(NO_SNIFFING);
    request.arrival = arrivalOf(request);
    request.arrival.run(done);
  });
  // Enters the context again: the events of a request body run in the context of the connection.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.arrival && request.body !== undefined) request.arrival.run(done);
    else done();
  });
  const end = (request: FastifyRequest, status: number): void => request.arrival?.end({ [ATTRIBUTES.httpStatus]: status }, status >= 500);
  fastify.addHook('onResponse', (request, reply, done) => (end(request, reply.statusCode), done()));
  fastify.addHook('onRequestAbort', (request, done) => (end(request, CLIENT_CLOSED), done()));
}
