import type { FastifyReply } from 'fastify';

/** What goes out. JSON documents are the bytes that their owner printed: nothing is parsed and printed again here. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function send(reply: FastifyReply, { status, headers = {}, body }: Answer): FastifyReply {
  reply.code(status).headers(headers);
  return body === null ? reply.send() : reply.type(JSON_TYPE).send(body);
}

export const json = (status: number, body: Buffer | string, headers?: Answer['headers']): Answer => ({ status, headers, body });
