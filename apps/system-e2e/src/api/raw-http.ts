import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorFault } from './declared-answer';
import { stackUnderTest } from '../stack-under-test';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

interface RawRequest {
  method?: string;
  /** The raw request target. It is not normalized. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Requests that well-behaved clients cannot send. */
export async function rawHttp({ method = 'POST', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(stackUnderTest().base_url);
  const sent = request({ hostname, port, method, path, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const flat = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: response.statusCode ?? 0, headers: new Headers(flat), text: await text(response) };
}

/** Sends bytes on a plain connection and returns everything that arrives until it closes. */
export async function rawBytes(bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(stackUnderTest().base_url);
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  const [head = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  return { status: Number(first.split(' ')[1]), headers: new Headers(headers), text: rest.join('\r\n\r\n') };
}

/** A refusal: 4xx, the envelope, and a request id. */
export function expectRefused({ status, headers, text: body }: RawAnswer, statuses: readonly number[]): void {
  expect([status, body]).toEqual([statuses.find((expected) => expected === status) ?? statuses, body]);
  expect(errorFault(headers, body)).toBeUndefined();
  expect([body, headers.get('x-request-id')]).toEqual([body, expect.stringMatching(/./)]);
}
