import type { FastifyReply } from 'fastify';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * A response with a status, a body or headers of its own. JSON documents that another service prints are sent as the bytes that it
 * printed: nothing is parsed and printed again here.
 */
export class HttpResponse {
  constructor(
    readonly status: number,
    readonly body: Buffer | string | null,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
    readonly type: string = JSON_TYPE,
  ) {}
}

export function send(reply: FastifyReply, { status, headers, body, type }: HttpResponse): FastifyReply {
  reply.code(status).headers(headers);
  return body === null ? reply.send() : reply.type(type).send(body);
}
