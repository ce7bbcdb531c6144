import { BadRequestException, HttpException } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { acceptRequestId, REQUEST_ID_HEADER } from '../request-context';
import { endIdleConnectionsOnClose } from './connections';
import { errorAnswer } from './envelope';
import { observeRequests } from './observe';

/** The specification's bound on a body; an upload goes to the object store, not through here. */
const BODY_BYTES_MAX = 256 * 1024;
/** Node refuses longer headers, and so longer addresses: a parameter of any length reaches its route, which says that it names nothing. */
const PARAMETER_LENGTH_MAX = 16 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the 60 s that load balancers keep an idle connection, so that it is not us who closes it under a request. */
const KEEP_ALIVE_MS = 65_000;

const PARSER_FAULTS: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** What is not HTTP never reaches a route: it is answered on the bare connection. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = PARSER_FAULTS[error.code ?? ''] ?? 400;
  const body = JSON.stringify(errorAnswer(new HttpException('', status)).body);
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${acceptRequestId(undefined)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** What a service answers at an address that cannot be decoded; nothing where it has no words of its own for it. */
export type AnswerBroken = (path: string) => { status: number; headers: Record<string, string>; body: string } | undefined;

export function createHttpAdapter(options: { bodyLimitBytes?: number; answerBroken?: AnswerBroken } = {}): FastifyAdapter {
  const adapter = new FastifyAdapter({
    // There is no middleware: whatever happens to every request is a hook.
    skipMiddie: true,
    bodyLimit: options.bodyLimitBytes ?? BODY_BYTES_MAX,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    genReqId: (request: IncomingMessage) => acceptRequestId(request.headers[REQUEST_ID_HEADER]),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Whoever has a request under way is answered.
    forceCloseConnections: false,
    clientErrorHandler: answerBrokenHttp,
    // An address that cannot be decoded has no route, and so no hook that names the request.
    frameworkErrors: (_error: unknown, { id, url }: FastifyRequest, reply: FastifyReply) => {
      const { status, headers, body } = options.answerBroken?.(url) ?? { headers: {}, ...errorAnswer(new BadRequestException()) };
      void reply.code(status).header(REQUEST_ID_HEADER, id).headers(headers).send(body);
    },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  observeRequests(fastify);
  endIdleConnectionsOnClose(fastify);
  return adapter;
}
