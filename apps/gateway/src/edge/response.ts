import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * A response with a body or headers of its own, or with another status than the first one of its operation. JSON documents that another
 * service prints are sent as the bytes that it printed: nothing is parsed and printed again here.
 */
export class HttpResponse<Status extends number = never> {
  constructor(
    readonly body: Buffer | Readable | string | null,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
    readonly options: { readonly status?: Status; readonly type?: string } = {},
  ) {}
}

export function send(reply: FastifyReply, { headers, body, options }: HttpResponse<number>, firstStatus: number): FastifyReply {
  reply.code(options.status ?? firstStatus).headers(headers);
  return body === null ? reply.send() : reply.type(options.type ?? JSON_TYPE).send(body);
}
