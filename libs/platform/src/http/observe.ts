import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REQUEST_ID_HEADER, requestContext } from '../request-context';
import { IncomingRequest } from '../telemetry/incoming';
import { durationHistogram } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';

/** Asked every few seconds by machines, and of no interest to anybody who looks for a request. */
const UNTRACED_ROUTES = new Set(['/health/live', '/health/ready', '/metrics']);

const duration = durationHistogram(METRICS.httpServerDuration, 'How long requests over HTTP took');

function arrivalOf(request: FastifyRequest): IncomingRequest {
  // Told apart by route: the address itself would make a series for each report, and holds the token of a share page.
  const route = request.routeOptions.url ?? 'unknown';
  return new IncomingRequest({
    requestId: request.id,
    headers: request.headers as Record<string, string | undefined>,
    spanName: `${request.method} ${route}`,
    attributes: { [ATTRIBUTES.httpMethod]: request.method, [ATTRIBUTES.httpRoute]: route },
    duration,
  });
}

/** Every request gets its id, its span and its measure. */
export function observeRequests(fastify: FastifyInstance): void {
  const arrivals = new WeakMap<FastifyRequest, IncomingRequest>();
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    if (UNTRACED_ROUTES.has(request.routeOptions.url ?? '')) return requestContext.run({ requestId: request.id }, done);
    const arrival = arrivalOf(request);
    arrivals.set(request, arrival);
    arrival.run(done);
  });
  // Entered again: the events of a body that is read run in the context of its connection.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const arrival = arrivals.get(request);
    if (arrival) arrival.run(done);
    else done();
  });
  const end = (request: FastifyRequest, status: number): void =>
    arrivals.get(request)?.end({ [ATTRIBUTES.httpStatus]: status }, status >= 500);
  fastify.addHook('onResponse', (request, reply, done) => (end(request, reply.statusCode), done()));
  // The client went away before he was answered: 499, as nginx has it.
  fastify.addHook('onRequestAbort', (request, done) => (end(request, 499), done()));
}
