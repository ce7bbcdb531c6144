import { BadRequestException, HttpException } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { REQUEST_SECONDS_MAX } from '@tire/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptRequestId, REQUEST_ID_HEADER } from '../request-context';
import { endIdleConnectionsOnClose } from './connections';
import { errorAnswer } from './envelope';
import { NO_SNIFFING, observeRequests } from './observe';

/** The limit of the specification for a body. Uploads go to the object store, not through here. */
const BODY_BYTES_MAX = 256 * 1024;
/** Node rejects longer headers, and so longer addresses. A parameter of any accepted length reaches its route, which answers 404. */
const PARAMETER_LENGTH_MAX = 16 * 1024;
/**
 * The time for the head and the body of a request: the largest body needs 26 KB a second. A longer time would let slow clients hold connections
 * and memory. Checked every second; Node's default is every 30.
 */
const REQUEST_TIMEOUT_MS = REQUEST_SECONDS_MAX * 1_000;
const TIMEOUT_CHECK_MS = 1_000;
/** The time for the answer to a malformed or late request to arrive. After it a client that keeps its side open holds nothing. */
const FAREWELL_MS = 1_000;
/** How long clients may keep an idle connection. */
const IDLE_SECONDS = 60;
/** Longer, so that the server never closes an idle connection on which a request is just arriving. A busy client's timer may be late. */
const CLOSED_AFTER_MS = (IDLE_SECONDS + 10) * 1_000;

const PARSER_FAULTS: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** A malformed request reaches no route. The answer goes directly to the socket. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = PARSER_FAULTS[error.code ?? ''] ?? 400;
  const body = JSON.stringify(errorAnswer(new HttpException('', status)).body);
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${acceptRequestId(undefined)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}

/** The answer of a service to an address that cannot be decoded. Undefined: the general answer. */
export type AnswerBroken = (
  request: Pick<FastifyRequest, 'url' | 'headers'>,
) => { status: number; headers: Record<string, string>; body: string } | undefined;

export interface HttpAdapterOptions {
  readonly bodyLimitBytes?: number;
  readonly answerBroken?: AnswerBroken;
  /** One log line for each request. */
  readonly logRequests?: boolean;
}

export function createHttpAdapter(options: HttpAdapterOptions = {}): FastifyAdapter {
  const adapter = new FastifyAdapter({
    // There is no middleware: code for every request is a hook.
    skipMiddie: true,
    bodyLimit: options.bodyLimitBytes ?? BODY_BYTES_MAX,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    genReqId: (request: IncomingMessage) => acceptRequestId(request.headers[REQUEST_ID_HEADER]),
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    keepAliveTimeout: CLOSED_AFTER_MS,
    // Requests in flight are answered.
    forceCloseConnections: false,
    clientErrorHandler: answerBrokenHttp,
    // An address that cannot be decoded reaches no route, so no hook sets the request id.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { status, headers, body } = options.answerBroken?.(request) ?? { headers: {}, ...errorAnswer(new BadRequestException()) };
      void reply
        .code(status)
        .header(REQUEST_ID_HEADER, request.id)
        .headers({ ...NO_SNIFFING, ...headers })
        .send(body);
    },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  // Before every reply, also one that runs no hook.
  fastify.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (response.shouldKeepAlive) response.setHeader('keep-alive', `timeout=${IDLE_SECONDS}`);
  });
  observeRequests(fastify, options.logRequests ?? false);
  endIdleConnectionsOnClose(fastify);
  return adapter;
}
